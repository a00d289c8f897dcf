/** Sends the provider's waiting emails over SMTP for `npm start`, until a signal stops it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { PULSE_ANSWER, PULSE_QUESTION } from '../contract/bridge/health-check.ts'
import { mailRound } from './lib/mail-round.ts'
import { readEnvironment } from './lib/secrets-file.ts'
import { openSmtp } from './lib/smtp.ts'

const LOOK_EVERY_MS = 2000

const { values } = parseArgs({ options: { env: { type: 'string', default: '' } } })
const { PROVIDER_ORIGIN = '', ADMIN_KEY = '', SMTP_URL = '' } = readEnvironment(values.env)
const smtp = openSmtp(SMTP_URL)
const log = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

process.on('message', (message) => {
  if (message === PULSE_QUESTION && process.connected) process.send?.(PULSE_ANSWER)
})
process.once('SIGTERM', () => {
  smtp.close()
  process.exit(0)
})

/** Logs a failure only once, until sending works again. */
let trouble = ''
const reportTrouble = (now: string) => {
  if (now !== trouble && now !== '') log(`mails wait: ${now}`)
  else if (now !== trouble) log('mails are sent again')
  trouble = now
}

console.log('mailer: ready')
for (;;) {
  try {
    const outcomes = await mailRound({ PROVIDER_ORIGIN, ADMIN_KEY }, smtp)
    for (const { message_id, outcome, why } of outcomes) log(`${message_id} ${outcome} ${why}`.trim())
    const failed = outcomes.find(({ outcome }) => outcome === 'failed')
    if (outcomes.length > 0) reportTrouble(failed?.why ?? '')
  } catch (error) {
    reportTrouble(error instanceof Error ? error.message : String(error))
  }
  await sleep(LOOK_EVERY_MS)
}
