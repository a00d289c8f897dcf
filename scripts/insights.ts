/** `npm run insights`: what the pages of a running Porchlight told of themselves. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../contract/admin.ts'
import { INSIGHTS_CAVEAT, insightsAnswer } from '../contract/insights.ts'
import { readArguments, runCommand } from './lib/command.ts'
import { pageOf } from './lib/insights-page.ts'
import { servePage } from './lib/insights-server.ts'
import { tablesOf, textOf } from './lib/insights-words.ts'
import { callOperator, operatorOf } from './lib/operator.ts'
import { Stop } from './lib/stop.ts'

const HELP = `npm run insights -- [options]
  Visits, vitals by page, time to the first live picture, funnels, experiments, and errors by release: of the last day, of
  7 and of 30 days. How each number is counted: docs/insights.md.
  --days N      of the last N days alone, up to 90
  --json        as JSON
  --html FILE   as one page, with charts
  --serve       the same page on this machine, until Ctrl-C
  --data DIR    data folder of the running Porchlight (.porchlight)
  --env FILE    environment of another provider, such as production.env`

async function main(): Promise<void> {
  const { values } = readArguments(
    {
      args: process.argv.slice(2),
      options: {
        data: { type: 'string', default: '.porchlight' },
        ...{ env: { type: 'string' }, days: { type: 'string' }, html: { type: 'string' } },
        ...{ json: { type: 'boolean', default: false }, serve: { type: 'boolean', default: false } },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
  if (values.help) return console.log(HELP)
  const operator = operatorOf(values.env ?? join(values.data, 'run.env'))
  const days = values.days === undefined ? [1, 7, 30] : [Number(values.days)]
  if (days.some((one) => !Number.isInteger(one) || one < 1)) throw new Stop('Give --days as a whole number, such as 7.')
  const ask = async () => Promise.all(days.map((one) => askDays(operator, one)))
  if (values.serve) return serve(async () => pageOf(await ask(), Date.now()))
  const reports = await ask()
  if (values.json) return console.log(JSON.stringify({ caveat: INSIGHTS_CAVEAT, reports }, null, 2))
  if (values.html !== undefined) return writeFileSync(values.html, pageOf(reports, Date.now()))
  console.log(INSIGHTS_CAVEAT)
  for (const { days: of, report } of reports)
    console.log(
      `\n== ${of === 1 ? 'The last day' : `The last ${of} days`}\n\n${tablesOf(report).map(textOf).join('\n\n')}`,
    )
}

async function askDays(operator: ReturnType<typeof operatorOf>, days: number) {
  const answer = await callOperator(operator, 'GET', `${ADMIN_PATHS.insights}?days=${days}`)
  return { days, report: v.parse(insightsAnswer, answer).data }
}

async function serve(makePage: () => Promise<string>): Promise<void> {
  const { address, server } = await servePage(makePage)
  console.log(`${address}\nStop with Ctrl-C.`)
  process.once('SIGINT', () => server.close(() => process.exit(0)))
}

await runCommand(main)
