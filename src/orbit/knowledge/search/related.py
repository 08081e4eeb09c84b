"""Words that everyday language and repositories use for the same things. A related word counts for less than the word.

Contract: knowledge.md, Roster.
"""

from __future__ import annotations

from orbit.knowledge.search.stem import stem

# Each line: words of which any may stand for any other.
_GROUPS = """\
auth authentication authenticate login logon logout signin signup signout identity credential password session token
auth authorization permission access acl role grant rbac policy allowed forbidden deny
register registration signup onboarding enrol join
sso saml oidc oauth federation idp directory corporate
mfa totp passkey webauthn authenticator otp 2fa passwordless
payment charge debit pay acquirer psp wallet checkout purchase card
invoice bill billing receivable dunning overdue reminder
money currency amount cash fx exchange price euro dollar cent
refund reimburse chargeback return rma
subscription plan renewal recurring membership monthly yearly contract
tax vat gst duty customs
ledger accounting bookkeeping journal finance booking balance
turnover revenue income margin profit
payout settlement bank transfer iban sepa
discount coupon voucher promo promotion campaign rebate offer
cart basket checkout
order purchase buy sell fulfilment
seller merchant vendor supplier marketplace trader
customer client buyer shopper consumer
user member person account profile
employee staff hr payroll personnel colleague worker salary wage
absence leave holiday vacation sick
stock inventory quantity availability replenishment
warehouse depot picking bin
shipping shipment delivery parcel package carrier courier logistics consignment dispatch freight
tracking status eta arrival arrive
route tour trip van driver fleet
catalogue catalog product article item sku goods
search find query lookup discovery retrieval
index indexing reindex
spelling misspelling typo synonym
suggest suggestion recommendation recommender similar ranking personalization
review rating comment feedback star
moderation spam toxic insult abuse
image picture photo photograph thumbnail asset graphic rendition
video film movie clip stream transcode
audio sound music podcast
email mail smtp inbox newsletter letter
sms text message push notification notify alert
chat messenger conversation bot assistant
phone telephony call voice ivr
support helpdesk ticket case agent complaint
translation translate language locale i18n l10n internationalization localization multilingual
privacy gdpr consent cookie pii personal
erase erasure delete deletion remove anonymize
audit compliance trail history record
fraud risk scam thief steal
analytics telemetry tracking event metric statistic
report dashboard chart kpi graph figure bi spreadsheet
dwh lake lakehouse warehouse etl elt pipeline dbt
ml model training inference ai prediction predict forecast
experiment variant ab
flag toggle feature rollout
config configuration setting option preference parameter
secret vault credential key password certificate
certificate tls ssl acme https
encryption encrypt decrypt crypto cipher
gateway proxy ingress edge router
throttle quota limit ratelimit
scraper crawler robot spider captcha bot
cdn edge caching invalidate purge
dns domain zone nameserver hostname
build ci pipeline compile runner
deploy deployment release rollout ship publish
rollback revert undo
kubernetes k8s cluster helm container docker pod
infra infrastructure terraform cloud provision aws gcp azure
cost spend budget finops bill
monitoring metric observability prometheus grafana dashboard
trace tracing span otel opentelemetry
alert pager oncall incident outage downtime down wake
health probe check uptime status
queue message broker kafka topic event pubsub
scheduler schedule cron job timer periodic nightly
upload file attachment blob object storage disk
virus malware antivirus
db database sql postgres postgresql mysql table query
migration schema ddl alter
backup restore recovery disaster snapshot
cache redis memcached
performance slow latency speed fast load
crash freeze hang error exception failure fault
retry idempotent idempotency duplicate twice double
frontend ui interface screen page web website site
backend server service
shop store storefront
mobile app ios android phone iphone tablet handset
accessibility a11y wcag contrast blind reader
design component style theme token colour font
address street postal postcode geocode location
map navigation geo tile
appointment booking reservation slot calendar
document pdf paper print template
ocr recognition scan
barcode scanner scan
sign signature contract agreement
loyalty points reward bonus
gift present
partner affiliate integration thirdparty external
webhook callback hook
sdk client library package
docs documentation guide manual handbook readme wiki
test testing qa e2e fixture
stress load benchmark peak
cli command terminal tool
laptop local developer workstation computer
device iot sensor firmware hardware machine
ads advertising advertisement sponsored marketing
seo sitemap crawl
admin administration administrator backoffice console
import importer feed ingest ingestion load
export exporter download
sync synchronize replicate mirror
convert conversion transform
validate validation verify verification check
repo repository
env environment stage
msg message
svc service
lib library
api endpoint rest graphql rpc grpc
"""


_FIRST_LETTERS = 3


def related(words: list[str]) -> list[str]:
    """What else the given stems are called, themselves left out; in the order of the groups."""
    wanted = set(words)
    starts = {word[:_FIRST_LETTERS] for word in words}
    found: dict[str, None] = {}
    for line in _GROUPS.split("\n"):
        # A stem begins as its word does: most groups are passed over without stemming them.
        if any(start in line for start in starts):
            group = [stem(word) for word in line.split()]
            if not wanted.isdisjoint(group):
                found.update(dict.fromkeys(other for other in group if other not in wanted))
    return list(found)
