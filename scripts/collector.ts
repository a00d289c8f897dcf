/**
 * `npm run collector`: prints the device collector sessions of a running provider. Each session has had a request in
 * the last 24 hours.
 */
import { join } from 'node:path'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../contract/operator/operator-calls.ts'
import { collectorList } from '../contract/telemetry/device-collector.ts'
import { formatSessions } from './lib/collector-line.ts'
import { parseCommandArguments, runCommand } from './lib/command.ts'
import { callOperator, readOperator } from './lib/operator.ts'

const HELP = `npm run collector -- [options]
  Lists the browser sessions of the last 24 hours, newest first: start, last page exit, previous session, and the device
  data that the browser sent. The list doesn't show accounts. Shows up to 1,000 sessions and counts the rest.
  --session ID   show one session
  --json         print JSON
  --data DIR     data folder of the running Porchlight (.porchlight)
  --env FILE     environment file of another provider, such as production.env`

async function main(): Promise<void> {
  const { values } = parseCommandArguments(
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
  const operator = readOperator(values.env ?? join(values.data, 'run.env'))
  const query = values.session === undefined ? '' : `?${new URLSearchParams({ session: values.session }).toString()}`
  const { data } = v.parse(collectorList, await callOperator(operator, 'GET', ADMIN_PATHS.collector + query))
  if (values.json) return console.log(JSON.stringify(data.sessions, null, 2))
  for (const line of formatSessions(data, values.session)) console.log(line)
}

await runCommand(main)
