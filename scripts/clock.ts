/** `npm run clock`: moves the billing time of demo accounts ahead, on a local deployment only. */
import { join } from 'node:path'
import * as v from 'valibot'
import { ADMIN_PATHS, clockResponse } from '../contract/operator/operator-calls.ts'
import { parseCommandArguments, runCommand } from './lib/command.ts'
import { callOperator, readOperator } from './lib/operator.ts'
import { StopError } from './lib/stop.ts'

const HELP = `npm run clock -- [+DURATION] [options]
  Moves the demo accounts' clock forward for plans, invoices, and test cards. Renewals, retries, and cancellations then
  happen in order. Logins, signatures, and clip deletion use real time. Only npm start -- --fresh resets the clock.
  +40d           move forward by 40 days; h: hours, w: weeks. Without a duration, print how far ahead the clock is
  --data DIR     data folder of the running Porchlight (.porchlight)`

const UNIT_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

const printLine = (line: string) => console.log(line)

async function main(): Promise<void> {
  const { values, positionals } = parseCommandArguments(
    {
      args: process.argv.slice(2),
      allowPositionals: true,
      options: {
        data: { type: 'string', default: '.porchlight' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
  if (values.help) return printLine(HELP)
  const operator = readOperator(join(values.data, 'run.env'))
  const [duration] = positionals
  const response =
    duration === undefined
      ? await callOperator(operator, 'GET', ADMIN_PATHS.clock)
      : await callOperator(operator, 'POST', ADMIN_PATHS.clock, { by_ms: parseDuration(duration) })
  const { accounts, ahead } = v.parse(clockResponse, response).data
  const shownDate = new Date(Date.now() + ahead).toISOString().slice(0, 10)
  printLine(
    ahead === 0
      ? `The clock for the ${accounts} demo accounts shows today's date.`
      : `The clock for the ${accounts} demo accounts is ${(ahead / UNIT_MS.d).toFixed(1)} days ahead and shows ${shownDate}.`,
  )
}

function parseDuration(text: string): number {
  const found = /^\+(\d{1,4})([hdw])$/.exec(text)
  const [count, unit] = [Number(found?.[1] ?? 0), found?.[2] as keyof typeof UNIT_MS]
  if (!found || count === 0)
    throw new StopError(`${text} isn't a valid duration. Use a value such as +40d, +6h, or +2w.`)
  return count * UNIT_MS[unit]
}

await runCommand(main)
