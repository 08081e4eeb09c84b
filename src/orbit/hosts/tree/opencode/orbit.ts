// orbit in OpenCode: hands events to `orbit hook`, where every rule lives. No imports beyond node.
import { execFile } from "node:child_process"

const PATIENCE = 5000

// What `orbit hook EVENT` prints, "" when orbit has nothing to say or is not on PATH.
function ask(event, cwd, said) {
  return new Promise((resolve) => {
    try {
      const words = ["hook", event, "--host", "opencode"]
      const child = execFile("orbit", words, { cwd, timeout: PATIENCE }, (error, out) => resolve(error ? "" : out.trim()))
      child.on("error", () => resolve(""))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ cwd, ...said }))
    } catch {
      resolve("")
    }
  })
}

export const Orbit = async ({ client, directory }) => {
  const texts = new Map() // session -> the promise of its text: the same bytes on every request
  const workers = new Set()
  let ruled = false // whether the user has rules of their own about orbit: those stand

  const textOf = (session, event) => {
    if (!texts.has(session)) texts.set(session, ask(event, directory, { session_id: session }))
    return texts.get(session)
  }

  return {
    config: async (config) => {
      ruled = /"orbit\b/.test(JSON.stringify([config?.permission, config?.agent, config?.mode]) ?? "")
    },

    "experimental.chat.system.transform": async (input, output) => {
      const session = input?.sessionID ?? ""
      const text = await textOf(session, workers.has(session) ? "subagent-start" : "session-start")
      if (text) output.system.push(text)
    },

    event: async ({ event }) => {
      const said = event?.properties ?? {}
      if (event?.type === "session.created" && said.info?.parentID) workers.add(said.info.id)
      if (event?.type === "session.deleted" && said.info?.id) {
        workers.delete(said.info.id)
        texts.delete(said.info.id)
      }
      if (event?.type === "session.compacted" && said.sessionID && !workers.has(said.sessionID)) {
        texts.delete(said.sessionID)
        await textOf(said.sessionID, "session-resume")
      }
      const command = said.metadata?.command
      if (event?.type === "permission.asked" && said.permission === "bash" && typeof command === "string" && !ruled) {
        const answer = await ask("permission", directory, { command })
        if (answer !== "allow") return
        await client.postSessionIdPermissionsPermissionId({
          path: { id: said.sessionID, permissionID: said.id },
          body: { response: "once" },
        })
      }
    },
  }
}
