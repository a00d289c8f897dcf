import type { InsightsReport } from '../../contract/telemetry/insights-report.ts'
import { INSIGHTS_CAVEAT } from '../../contract/telemetry/insights-report.ts'
import { formatReportNotes, buildTables, formatPeriod, type InsightsBar, type InsightsTable } from './insights-text.ts'

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}
.wide{overflow-x:auto}svg{width:100%;height:auto;fill:currentColor;font:12px system-ui,sans-serif}rect{fill:#c2570c}line{stroke:currentColor;stroke-width:2}.limit{stroke-dasharray:3}th[scope=row]{font-weight:inherit}`

/** Renders the reports as one self-contained page with tables and bar charts. `now` in ms UTC. */
export function renderInsightsPage(
  reports: readonly { readonly days: number; readonly report: InsightsReport }[],
  now: number,
): string {
  const parts = reports.map(({ days, report }) => {
    const notes = formatReportNotes(report).map((note) => `<p>${escapeHtml(note)}</p>`)
    return `<section><h2>${formatPeriod(days)}</h2>${[...notes, ...buildTables(report).map(renderTable)].join('')}</section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Insights</title><style>${STYLE}</style></head><body><main><h1>Insights</h1>
<p>${escapeHtml(INSIGHTS_CAVEAT)} Generated ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC.</p>
${parts.join('\n')}</main></body></html>\n`
}

function renderTable(table: InsightsTable): string {
  const { title, columns, heads = 1, rows, note } = table
  const noteHtml = note === undefined ? '' : `<p>${escapeHtml(note)}</p>`
  if (rows.length === 0) return `<h3>${escapeHtml(title)}</h3><p>No data.</p>${noteHtml}`
  const head = columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('')
  const renderCell = (cell: string, at: number) =>
    at < heads ? `<th scope="row">${escapeHtml(cell)}</th>` : `<td>${escapeHtml(cell)}</td>`
  const body = rows.map((row) => `<tr>${row.map(renderCell).join('')}</tr>`).join('')
  return `<h3>${escapeHtml(title)}</h3>${noteHtml}${renderChart(table)}
<div class="wide" role="group" tabindex="0" aria-label="${escapeHtml(title)}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

const [WIDTH, ROW_HEIGHT, NAME_WIDTH] = [640, 22, 220]

function renderChart({ title, bars }: InsightsTable): string {
  if (!bars) return ''
  const summary = bars.map((bar) => `${bar.name} ${bar.said}`).join('; ')
  return `<svg role="img" viewBox="0 0 ${WIDTH} ${Math.max(1, bars.length) * ROW_HEIGHT}"><title>${escapeHtml(title)}</title><desc>${escapeHtml(summary)}</desc>${bars.map(renderBar).join('')}</svg>`
}

/** Renders a bar with its name, a horizontal line for the confidence interval, and a vertical line for each limit. */
function renderBar({ name, share, range, marks = [] }: InsightsBar, at: number): string {
  const [top, middle, bottom] = [at * ROW_HEIGHT + 4, at * ROW_HEIGHT + ROW_HEIGHT / 2, (at + 1) * ROW_HEIGHT - 4]
  const x = (part: number) => NAME_WIDTH + Math.round((WIDTH - NAME_WIDTH) * part)
  const line = (from: readonly number[], to: readonly number[], kind = '') =>
    `<line${kind} x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}"/>`
  return [
    `<text x="0" y="${at * ROW_HEIGHT + 15}">${escapeHtml(name)}</text>`,
    `<rect x="${NAME_WIDTH}" y="${top}" width="${Math.max(1, x(share) - NAME_WIDTH)}" height="${bottom - top}"/>`,
    ...(range === undefined ? [] : [line([x(range[0]), middle], [x(range[1]), middle])]),
    ...marks.map((mark) => line([x(mark), top - 2], [x(mark), bottom + 2], ' class="limit"')),
  ].join('')
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
