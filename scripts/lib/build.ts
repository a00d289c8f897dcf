import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CURRENCY, getCurrencyProblem } from '../../contract/billing/amounts.ts'
import { getSourceMapFolder, pruneMaps, moveMaps } from './source-maps.ts'
import { StopError } from './stop.ts'

/** Sources of the pages and of the Workers. The Workers are included because their errors name the same build. */
const BUILD_SOURCES = [
  'src',
  'contract',
  'public',
  'astro.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  'functions',
  'provider',
  'wrangler.toml',
  // Modules that split and minify the output.
  ...['chunk-paths', 'chunks', 'facades', 'inline-scripts', 'module-preload', 'plain-imports', 'map-cuts'].map(
    (name) => `scripts/lib/${name}.ts`,
  ),
]

/** Returns the id that a build of the current sources would have: 7 hex digits. */
export const computeBuildId = (root: string): string => fingerprintSources(root, BUILD_SOURCES).slice(0, 7)

/**
 * Builds `dist/client` if its sources changed since the last build, and stores the source maps in `dist/maps`. Returns
 * the build id: 7 hex digits. Throws a `StopError` if the build fails or if the portal cannot sell in its currency.
 */
export function buildPages(root: string, printLine: (line: string) => void): string {
  requireSellableCurrency(CURRENCY)
  const fingerprint = fingerprintSources(root, BUILD_SOURCES)
  const stamp = join(root, 'dist', '.fingerprint')
  const id = fingerprint.slice(0, 7)
  if (
    existsSync(join(root, 'dist/client/index.html')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === fingerprint
  )
    return id
  printLine('Building the pages…')
  // Builds into a folder of its own, because two `npm start` processes of one clone may build at the same time.
  const newFolder = join(root, 'dist', `.new-${process.pid}`)
  const result = spawnSync(
    process.execPath,
    ['node_modules/astro/bin/astro.mjs', 'build', '--silent', '--outDir', newFolder],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production', BUILD_ID: id },
    },
  )
  if (result.status !== 0) {
    rmSync(newFolder, { recursive: true, force: true })
    throw new StopError(`The pages couldn't be built:\n${result.stdout}${result.stderr}`)
  }
  moveMaps(join(newFolder, 'client'), join(newFolder, 'maps'))
  replaceFolder(getSourceMapFolder(root, id), join(newFolder, 'maps'))
  replaceFolder(join(root, 'dist/client'), join(newFolder, 'client'))
  rmSync(newFolder, { recursive: true, force: true })
  pruneMaps(root)
  writeFileSync(stamp, fingerprint)
  return id
}

/** Throws a `StopError` if the portal cannot sell in this currency. */
export function requireSellableCurrency(currency: string): void {
  const problem = getCurrencyProblem(currency)
  if (problem !== null) throw new StopError(`${problem} The currency is set in contract/billing/amounts.ts.`)
}

/** Maximum attempts to replace a folder while another `npm start` replaces the same folder. */
const MAX_REPLACE_ATTEMPTS = 20

/**
 * Replaces `target` with the folder `newFolder`, and moves the former folder to the path `newFolder` plus `.former`. If
 * two processes replace the folder at the same time, the later one wins.
 */
export function replaceFolder(target: string, newFolder: string): void {
  const formerFolder = `${newFolder}.former`
  mkdirSync(join(target, '..'), { recursive: true })
  for (let attempt = 1; ; attempt += 1) {
    rmSync(formerFolder, { recursive: true, force: true })
    try {
      if (existsSync(target)) renameSync(target, formerFolder)
      renameSync(newFolder, target)
      return
    } catch (error) {
      // ENOENT: another process has just moved the former folder. ENOTEMPTY or EEXIST: another process has just put
      // its own folder in place.
      const { code = '' } = error as NodeJS.ErrnoException
      const isRace = ['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code) && existsSync(newFolder)
      if (!isRace || attempt >= MAX_REPLACE_ATTEMPTS) throw error
    }
  }
}

/**
 * Returns the SHA-256 (hex) of the paths and contents of all files in `sources`. Ignores Markdown files in folders.
 * `sources`: files or folders, relative to `root`.
 */
export function fingerprintSources(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const source of sources)
    for (const file of listFiles(join(root, source))) hash.update(relative(root, file)).update(readFileSync(file))
  return hash.digest('hex')
}

function listFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
