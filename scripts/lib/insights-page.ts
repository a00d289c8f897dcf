import type { InsightsReport } from '../../contract/insights.ts'
import { INSIGHTS_CAVEAT } from '../../contract/insights.ts'
import { tablesOf, type Table } from './insights-words.ts'

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}
.wide{overflow-x:auto}svg{width:100%;height:auto;fill:currentColor;font:12px system-ui,sans-serif}rect{fill:#c2570c}`

/** The reports as one page that needs nothing beside itself: a table for each, and its shares drawn as bars. `now` in ms UTC. */
export function pageOf(
  reports: readonly { readonly days: number; readonly report: InsightsReport }[],
  now: number,
): string {
  const parts = reports.map(
    ({ days, report }) =>
      `<section><h2>${days === 1 ? 'The last day' : `The last ${days} days`}</h2>${tablesOf(report).map(partOf).join('')}</section>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Insights</title><style>${STYLE}</style></head><body><main><h1>Insights</h1>
<p>${escaped(INSIGHTS_CAVEAT)} Made ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC.</p>
${parts.join('\n')}</main></body></html>\n`
}

function partOf(table: Table): string {
  const { title, columns, rows } = table
  if (rows.length === 0) return `<h3>${escaped(title)}</h3><p>Nothing was told.</p>`
  const head = columns.map((name) => `<th scope="col">${escaped(name)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`).join('')
  return `<h3>${escaped(title)}</h3>${chartOf(table)}
<div class="wide" role="group" tabindex="0" aria-label="${escaped(title)}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

const [WIDTH, ROW, NAME] = [640, 22, 220]

/** The shares of a table as bars; who cannot see them hears them as one sentence. */
function chartOf({ title, rows, bars }: Table): string {
  if (!bars) return ''
  const shown = rows.flatMap((row, at) => (row[1] === '' ? [] : [{ name: nameOf(row), share: bars[at] ?? 0 }]))
  const said = shown.map(({ name, share }) => `${name} ${(share * 100).toFixed(1)} %`).join(', ')
  const drawn = shown.map(({ name, share }, at) => {
    const width = Math.max(1, Math.round((WIDTH - NAME) * share))
    return `<text x="0" y="${at * ROW + 15}">${escaped(name)}</text><rect x="${NAME}" y="${at * ROW + 4}" width="${width}" height="${ROW - 8}"/>`
  })
  return `<svg role="img" viewBox="0 0 ${WIDTH} ${Math.max(1, shown.length) * ROW}"><title>${escaped(title)}</title><desc>${escaped(said)}</desc>${drawn.join('')}</svg>`
}

const nameOf = (row: readonly string[]) => (Number.isNaN(Number(row[1])) ? `${row[0]} ${row[1]}` : (row[0] ?? ''))

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
