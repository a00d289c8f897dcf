/**
 * `npm run firefox` and `npm run webkit`: runs the main journeys in a real Firefox (WebDriver BiDi) or WebKitGTK
 * (WebDriver). Starts Porchlight first, unless `--origin` is the origin of a running Porchlight. Prints a line per
 * journey and width, writes test-results/BROWSER.json, and exits with 1 on failure. Not part of `npm test`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSystem } from '../bench/system.ts'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { openFirefox } from './firefox.ts'
import { accountJourney } from './journeys/account.ts'
import { eventsJourney } from './journeys/events.ts'
import { liveJourney } from './journeys/live.ts'
import { purchaseJourney } from './journeys/purchase.ts'
import { searchJourney } from './journeys/search.ts'
import { signInJourney } from './journeys/sign-in.ts'
import type { Journey, JourneyEnvironment, TestedBrowser } from './journey.ts'
import { openWebKit } from './webkit.ts'

const HELP = `npm run firefox -- [options]
npm run webkit -- [options]
  --only NAME      run only this journey (repeatable)
  --origin URL     use a running Porchlight that has the demo accounts
  --data DIR       data folder of that Porchlight; the purchase needs it to create an account
  --port N         port of the Porchlight that this command starts; default: a free port`

const BROWSERS = { firefox: openFirefox, webkit: openWebKit } as const
const JOURNEYS: readonly Journey[] = [
  signInJourney,
  liveJourney,
  eventsJourney,
  searchJourney,
  purchaseJourney,
  accountJourney,
]
const WIDTHS = [1440, 390] as const
/** Password of accounts that a journey creates. */
const PASSWORD = 'seven red kites at noon'

interface JourneyResult {
  readonly journey: string
  readonly width: number
  readonly ok: boolean
  readonly seconds: number
  /** Summary of the journey if it had no problem; otherwise its problems. */
  readonly sentence: string
}

/** Ends the browser and Porchlight. Run in reverse order, also after Ctrl-C. */
const cleanups: (() => Promise<void>)[] = []
const root = new URL('../..', import.meta.url).pathname
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    origin: { type: 'string' },
    data: { type: 'string' },
    browser: { type: 'string', default: 'firefox' },
    port: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const browserName = values.browser === 'webkit' ? 'webkit' : 'firefox'

if (values.help) console.log(HELP)
else process.exitCode = await main()

async function main(): Promise<number> {
  const unknown = (values.only ?? []).filter((name) => !JOURNEYS.some((journey) => journey.name === name))
  for (const name of unknown)
    console.error(`There is no journey ${name}: ${JOURNEYS.map((journey) => journey.name).join(', ')}.`)
  if (unknown.length > 0) return 1
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void runCleanups().then(() => process.exit(1)))
  try {
    const browser = await BROWSERS[browserName]()
    cleanups.push(() => browser.close())
    return values.origin === undefined
      ? await runOnOwnSystem(browser)
      : await runJourneys(browser, values.origin, values.data)
  } finally {
    await runCleanups()
  }
}

async function runCleanups(): Promise<void> {
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup()
}

async function runOnOwnSystem(browser: TestedBrowser): Promise<number> {
  const dataFolder = mkdtempSync(join(tmpdir(), `porchlight-${browserName}-data-`))
  cleanups.push(() => Promise.resolve(rmSync(dataFolder, { recursive: true, force: true })))
  console.log('Starting Porchlight ...')
  const system = await startSystem(
    root,
    dataFolder,
    ['--fresh'],
    values.port === undefined ? undefined : Number(values.port),
  )
  cleanups.push(() => system.stop())
  return runJourneys(browser, system.origin, dataFolder)
}

async function runJourneys(browser: TestedBrowser, origin: string, dataFolder?: string): Promise<number> {
  const results: JourneyResult[] = []
  for (const journey of JOURNEYS.filter(({ name }) => values.only?.includes(name) ?? true))
    for (const width of WIDTHS) {
      const result = await runJourney(
        browser,
        { origin, createAccount: () => createAccount(dataFolder) },
        journey,
        width,
      )
      results.push(result)
      const mark = result.ok ? 'ok    ' : 'failed'
      console.log(`${mark} ${result.journey} at ${width} px (${result.seconds.toFixed(1)} s): ${result.sentence}`)
    }
  const failed = results.filter(({ ok }) => !ok).length
  mkdirSync(join(root, 'test-results'), { recursive: true })
  const file = { date: new Date().toISOString(), browser: browser.version, journeys: results }
  writeFileSync(join(root, `test-results/${browserName}.json`), JSON.stringify(file, null, 2))
  console.log(`${results.length - failed} ok, ${failed} failed (${browser.version}).`)
  return failed > 0 ? 1 : 0
}

async function createAccount(dataFolder: string | undefined): Promise<{ email: string; password: string }> {
  if (dataFolder === undefined) throw new Error('A new account needs the data folder of Porchlight: add --data DIR.')
  const { PROVIDER_ORIGIN = '', ADMIN_KEY = '' } = readEnvironment(join(dataFolder, 'run.env'))
  const email = `${browserName}-${Date.now()}@example.com`
  const account = { email, password: PASSWORD, home: 'Home of a buyer' }
  await callOperator({ PROVIDER_ORIGIN, ADMIN_KEY }, 'POST', ADMIN_PATHS.accounts, account)
  return { email, password: PASSWORD }
}

/** Runs one journey in a new browser profile. Saves a screenshot if the journey throws. */
async function runJourney(
  browser: TestedBrowser,
  system: Pick<JourneyEnvironment, 'origin' | 'createAccount'>,
  journey: Journey,
  width: number,
): Promise<JourneyResult> {
  const startedAt = performance.now()
  const visit = await browser.openVisit(system.origin, width)
  const { page, listCookies } = visit
  let failure = ''
  try {
    await journey.run({ ...system, page, listCookies, isPhone: width < 768, downloads: browser.downloads })
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
    mkdirSync(join(root, 'test-results'), { recursive: true })
    await visit.saveScreenshot(join(root, `test-results/${browserName}-${journey.name}-${width}.png`)).catch(() => {})
  }
  await visit.close()
  // Browser errors contain a stack; only the first line counts.
  const sentence = [failure, ...visit.problems].flatMap((text) => text.split('\n')[0] || []).join(' | ')
  const seconds = (performance.now() - startedAt) / 1000
  return { journey: journey.name, width, ok: sentence === '', seconds, sentence: sentence || journey.summary }
}
