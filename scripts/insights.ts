/** `porchlight insights`: prints, saves or serves the analytics reports of a running provider. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../contract/operator/operator-calls.ts'
import { INSIGHTS_CAVEAT, insightsResponse, type InsightsReport } from '../contract/telemetry/insights-report.ts'
import { formatCommand, parseCommandArguments, runCommand } from './lib/command.ts'
import { renderInsightsPage } from './lib/insights-page.ts'
import { servePage } from './lib/insights-server.ts'
import { formatReportNotes, buildTables, formatTable, formatPeriod } from './lib/insights-text.ts'
import { callOperator, readOperator } from './lib/operator.ts'
import { StopError } from './lib/stop.ts'

const HELP = `${formatCommand('insights')} [options]
  Prints visits, vitals by page, time to the first live video, funnels, experiments, and errors by release for today and
  the last 7 and 30 days. docs/insights.md explains how each number is counted.
  --days N      only the last N days, including today, up to 90
  --json        print JSON
  --html FILE   write a page with charts
  --serve       serve that page on this computer until Ctrl-C
  --data DIR    data folder of the running Porchlight (.porchlight)
  --env FILE    environment file of another provider, such as production.env`

async function main(): Promise<void> {
  const { values } = parseCommandArguments(
    {
      args: process.argv.slice(2),
      options: {
        data: { type: 'string', default: '.porchlight' },
        env: { type: 'string' },
        days: { type: 'string' },
        html: { type: 'string' },
        json: { type: 'boolean', default: false },
        serve: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
  if (values.help) return console.log(HELP)
  const operator = readOperator(values.env ?? join(values.data, 'run.env'))
  const days = values.days === undefined ? [1, 7, 30] : [Number(values.days)]
  if (days.some((count) => !Number.isInteger(count) || count < 1))
    throw new StopError('--days must be a whole number, such as 7.')
  const chosen = [values.json && '--json', values.html !== undefined && '--html', values.serve && '--serve']
  if (chosen.filter(Boolean).length > 1)
    throw new StopError(`Use only one of these options: ${chosen.filter(Boolean).join(', ')}.`)
  // Fetches the reports one after another, so that the provider does not compute several at the same time.
  const fetchReports = async () => {
    const reports: PeriodReport[] = []
    for (const count of days) reports.push(await fetchReport(operator, count))
    return reports
  }
  if (values.serve) return serveUntilInterrupted(async () => renderInsightsPage(await fetchReports(), Date.now()))
  const reports = await fetchReports()
  if (values.json) return console.log(JSON.stringify({ caveat: INSIGHTS_CAVEAT, reports }, null, 2))
  if (values.html !== undefined) return writePage(values.html, renderInsightsPage(reports, Date.now()))
  console.log(INSIGHTS_CAVEAT)
  for (const { days: of, report } of reports)
    console.log(
      `\n== ${[formatPeriod(of), ...formatReportNotes(report)].join('\n')}\n\n${buildTables(report).map(formatTable).join('\n\n')}`,
    )
}

interface PeriodReport {
  readonly days: number
  readonly report: InsightsReport
}

function writePage(file: string, page: string): void {
  try {
    writeFileSync(file, page)
  } catch (error) {
    throw new StopError(`${file} can't be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function fetchReport(operator: ReturnType<typeof readOperator>, days: number): Promise<PeriodReport> {
  const response = v.safeParse(
    insightsResponse,
    await callOperator(operator, 'GET', `${ADMIN_PATHS.insights}?days=${days}`),
  )
  if (!response.success)
    throw new StopError("The provider runs a different version than this script, so its response can't be read.")
  return { days, report: response.output.data }
}

async function serveUntilInterrupted(makePage: () => Promise<string>): Promise<void> {
  const { address, server } = await servePage(makePage)
  console.log(`${address}\nPress Ctrl-C to stop.`)
  process.once('SIGINT', () => server.close(() => process.exit(0)))
}

await runCommand(main)
