/** `npm run errors`: prints errors that pages, both Workers and bridges reported to a running provider. */
import { join } from 'node:path'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../contract/operator/operator-calls.ts'
import { errorList } from '../contract/telemetry/telemetry-calls.ts'
import { parseCommandArguments, runCommand } from './lib/command.ts'
import { formatErrorGroup, resolveErrorGroups } from './lib/error-lines.ts'
import { callOperator, readOperator } from './lib/operator.ts'
import { StopError } from './lib/stop.ts'

const HELP = `npm run errors -- [options]
  Lists the reported error groups, newest first: count, time, build, message, page, request, and stack. Stacks point to
  the source if the error is from one of the last ten builds made on this computer.
  --build ID     show the errors of one build
  --json         print JSON
  --data DIR     data folder of the running Porchlight (.porchlight)
  --env FILE     environment file of another provider, such as production.env`

const root = new URL('..', import.meta.url).pathname

async function main(): Promise<void> {
  const { values } = parseCommandArguments(
    {
      args: process.argv.slice(2),
      options: {
        data: { type: 'string', default: '.porchlight' },
        env: { type: 'string' },
        build: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
  if (values.help) return console.log(HELP)
  const operator = readOperator(values.env ?? join(values.data, 'run.env'))
  const response = v.safeParse(errorList, await callOperator(operator, 'GET', ADMIN_PATHS.errors))
  if (!response.success)
    throw new StopError("The provider runs a different version than this script, so its response can't be read.")
  const { data } = response.output
  const kinds = resolveErrorGroups(root, data.errors, values.build)
  if (values.json) return console.log(JSON.stringify(kinds, null, 2))
  for (const kind of kinds) console.log(`${formatErrorGroup(kind).join('\n')}\n`)
  if (kinds.length > 0) return
  if (values.build === undefined || data.errors.length === 0)
    return console.log('No errors were reported in the last 30 days.')
  const builds = [...new Set(data.errors.map(({ build }) => build))].join(', ')
  console.log(
    `No errors from build ${values.build} were reported in the last 30 days. Other builds with errors: ${builds}.`,
  )
}

await runCommand(main)
