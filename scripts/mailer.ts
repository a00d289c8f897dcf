/** Sends the provider's waiting emails over SMTP for `npm start`, until the mailer receives a stop signal. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { HEALTH_CHECK_RESPONSE, HEALTH_CHECK_REQUEST } from '../contract/bridge/health-check.ts'
import { sendWaitingMails } from './lib/mail-sender.ts'
import { readOperator } from './lib/operator.ts'
import { readEnvironment } from './lib/secrets-file.ts'
import { openSmtp } from './lib/smtp.ts'

const POLL_INTERVAL_MS = 2000

const { values } = parseArgs({ options: { env: { type: 'string', default: '' } } })
const { SMTP_URL = '' } = readEnvironment(values.env)
const operator = readOperator(values.env)
const smtp = openSmtp(SMTP_URL)
const log = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

process.on('message', (message) => {
  if (message === HEALTH_CHECK_REQUEST && process.connected) process.send?.(HEALTH_CHECK_RESPONSE)
})
process.once('SIGTERM', () => {
  smtp.close()
  process.exit(0)
})

/** Last logged failure; '' while sending works. */
let lastFailure = ''
const reportFailure = (failure: string) => {
  if (failure !== lastFailure && failure !== '') log(`emails are waiting: ${failure}`)
  else if (failure !== lastFailure) log('emails are being sent again')
  lastFailure = failure
}

console.log('mailer: ready')
for (;;) {
  try {
    const outcomes = await sendWaitingMails(operator, smtp)
    for (const { message_id, outcome, why } of outcomes) log(`${message_id} ${outcome} ${why}`.trim())
    const failedOutcome = outcomes.find(({ outcome }) => outcome === 'failed')
    if (outcomes.length > 0) reportFailure(failedOutcome?.why ?? '')
  } catch (error) {
    reportFailure(error instanceof Error ? error.message : String(error))
  }
  await sleep(POLL_INTERVAL_MS)
}
