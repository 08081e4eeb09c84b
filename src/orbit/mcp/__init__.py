"""The MCP server: the commands that an agent needs, as tools, resources and a prompt. Contract: hosts.md, MCP."""
