/** `npm run collector`: what the device collector of a running provider keeps of the last 24 hours. */
import { join } from 'node:path'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../contract/admin.ts'
import { collectorList } from '../contract/fraud.ts'
import { lineOf } from './lib/collector-line.ts'
import { readArguments, runCommand } from './lib/command.ts'
import { callOperator, operatorOf } from './lib/operator.ts'

const HELP = `npm run collector -- [options]
  Lists the sessions of browsers that came to sign in within the last 24 hours, the newest first: when each began and was
  left, which one it follows, and what the browser told of its device. No account stands there.
  --session ID   one session alone
  --json         as JSON
  --data DIR     data folder of the running Porchlight (.porchlight)
  --env FILE     environment of another provider, such as production.env`

async function main(): Promise<void> {
  const { values } = readArguments(
    {
      args: process.argv.slice(2),
      options: {
        data: { type: 'string', default: '.porchlight' },
        env: { type: 'string' },
        session: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
  if (values.help) return console.log(HELP)
  const operator = operatorOf(values.env ?? join(values.data, 'run.env'))
  const { data } = v.parse(collectorList, await callOperator(operator, 'GET', ADMIN_PATHS.collector))
  const sessions = data.sessions.filter(({ session }) => values.session === undefined || session === values.session)
  if (values.json) return console.log(JSON.stringify(sessions, null, 2))
  for (const one of sessions) console.log(lineOf(one))
  if (sessions.length === 0) console.log('No browser has come to sign in within the last 24 hours.')
}

await runCommand(main)
