/**
 * `npm run firefox`: runs the main journeys in a real Firefox over WebDriver BiDi. Starts Porchlight first, unless
 * `--origin` is the origin of a running Porchlight. Prints a line per journey and width, writes
 * test-results/firefox.json, and exits with 1 on failure. Not part of `npm test`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSystem } from '../bench/system.ts'
import { openFirefox, openVisit, type Firefox } from './browser.ts'
import { accountJourney } from './journeys/account.ts'
import { eventsJourney } from './journeys/events.ts'
import { liveJourney } from './journeys/live.ts'
import { searchJourney } from './journeys/search.ts'
import { signInJourney } from './journeys/sign-in.ts'
import type { Journey } from './journey.ts'

const HELP = `npm run firefox -- [options]
  --only NAME      run only this journey (repeatable)
  --origin URL     use a running Porchlight that has the demo accounts
  --port N         port of the Porchlight that this command starts; default: a free port`

const JOURNEYS: readonly Journey[] = [signInJourney, liveJourney, eventsJourney, searchJourney, accountJourney]
const WIDTHS = [1440, 390] as const

interface JourneyResult {
  readonly journey: string
  readonly width: number
  readonly ok: boolean
  readonly seconds: number
  /** Summary of the journey if it had no problem; otherwise its problems. */
  readonly sentence: string
}

const root = new URL('../..', import.meta.url).pathname
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    origin: { type: 'string' },
    port: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) console.log(HELP)
else process.exitCode = await main()

async function main(): Promise<number> {
  const unknown = (values.only ?? []).filter((name) => !JOURNEYS.some((journey) => journey.name === name))
  for (const name of unknown)
    console.error(`There is no journey ${name}: ${JOURNEYS.map((journey) => journey.name).join(', ')}.`)
  if (unknown.length > 0) return 1
  const firefox = await openFirefox()
  try {
    return values.origin === undefined ? await runOnOwnSystem(firefox) : await runJourneys(firefox, values.origin)
  } finally {
    await firefox.close()
  }
}

async function runOnOwnSystem(firefox: Firefox): Promise<number> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-firefox-data-'))
  console.log('Starting Porchlight ...')
  const system = await startSystem(
    root,
    dataFolder,
    ['--fresh'],
    values.port === undefined ? undefined : Number(values.port),
  )
  try {
    return await runJourneys(firefox, system.origin)
  } finally {
    await system.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function runJourneys(firefox: Firefox, origin: string): Promise<number> {
  const results: JourneyResult[] = []
  for (const journey of JOURNEYS.filter(({ name }) => values.only?.includes(name) ?? true))
    for (const width of WIDTHS) {
      const result = await runJourney(firefox, origin, journey, width)
      results.push(result)
      const mark = result.ok ? 'ok    ' : 'failed'
      console.log(`${mark} ${result.journey} at ${width} px (${result.seconds.toFixed(1)} s): ${result.sentence}`)
    }
  const failed = results.filter(({ ok }) => !ok).length
  mkdirSync(join(root, 'test-results'), { recursive: true })
  const browser = await firefox.browser.version()
  const file = { date: new Date().toISOString(), browser, journeys: results }
  writeFileSync(join(root, 'test-results/firefox.json'), JSON.stringify(file, null, 2))
  console.log(`${results.length - failed} ok, ${failed} failed (${browser}).`)
  return failed > 0 ? 1 : 0
}

/** Runs one journey in a new browser context. Saves a screenshot if the journey throws. */
async function runJourney(firefox: Firefox, origin: string, journey: Journey, width: number): Promise<JourneyResult> {
  const startedAt = performance.now()
  const { context, page, problems } = await openVisit(firefox, origin, width)
  let failure = ''
  try {
    await journey.run({ page, context, origin, isPhone: width < 768, downloads: firefox.downloads })
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
    mkdirSync(join(root, 'test-results'), { recursive: true })
    const path = join(root, `test-results/firefox-${journey.name}-${width}.png`)
    await page.screenshot({ path: path as `${string}.png` }).catch(() => {})
  }
  await context.close()
  // Browser errors contain a stack; only the first line counts.
  const sentence = [failure, ...problems].flatMap((text) => text.split('\n')[0] || []).join(' | ')
  const seconds = (performance.now() - startedAt) / 1000
  return { journey: journey.name, width, ok: sentence === '', seconds, sentence: sentence || journey.summary }
}
