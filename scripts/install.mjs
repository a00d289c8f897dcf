// Installs the packages that all commands of a clone need. This file is plain JavaScript for Node 20 or newer, because
// it also runs before any package is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules', '.porchlight-lock')

/** True in an installed package, because npm never packs the lockfile. A package needs no more packages. */
const isPackage = !existsSync(join(root, 'package-lock.json'))

/** Root of the files that commands use. In a package, `scripts/package.ts` has put them into this folder. */
export const projectRoot = isPackage ? join(root, 'dist/package') : root

/** Returns the path of a script. `file`: its path in a clone. A package contains compiled scripts. */
export const resolveScript = (/** @type {string} */ file) =>
  join(projectRoot, isPackage ? file.replace(/\.ts$/, '.js') : file)

/**
 * Returns the path of Node 24. A clone has its own, a dev dependency that makes scripts run the same on every machine.
 * A package uses the Node that runs this process.
 */
export function projectNode() {
  return isPackage ? process.execPath : join(root, 'node_modules', 'node', 'bin', 'node')
}

export function projectEnv() {
  if (isPackage)
    return {
      NODE_COMPILE_CACHE: join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'porchlight'),
      ...process.env,
    }
  const path = [dirname(projectNode()), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  return {
    ...process.env,
    PATH: path,
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    WRANGLER_SEND_METRICS: 'false',
    ASTRO_TELEMETRY_DISABLED: '1',
  }
}

/** Returns the sentence for a platform on which no command works; null for the others. */
export function findPlatformProblem(/** @type {NodeJS.Platform} */ platform) {
  if (platform !== 'win32') return null
  return 'Porchlight runs on Linux and macOS. On Windows, install WSL 2 (run "wsl --install"), then run Porchlight in its Linux terminal.'
}

/**
 * Installs the packages of the lockfile if they are missing or if the lockfile has changed since the last installation.
 * In a package, installs nothing. Exits with code 1 on Windows, if Node is too old, or if the installation fails.
 */
export function ensureInstalled(/** @type {NodeJS.Platform} */ platform = process.platform) {
  const platformProblem = findPlatformProblem(platform)
  if (platformProblem !== null) fail(platformProblem)
  const minVersion = isPackage ? 24 : 20
  if (Number(process.versions.node.split('.')[0]) < minVersion)
    fail(
      `Porchlight needs Node ${minVersion} or newer. You have ${process.version}. Install a newer version from nodejs.org, then try again.`,
    )
  if (isPackage) return
  const lockHash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(projectNode()) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash) return
  console.log('Installing packages…')
  // `npm ci` is not used, because it rejects a lockfile if a registry lacks an optional package of another platform
  // (npm/cli#9846).
  const result = spawnSync(
    'npm',
    ['install', '--include=dev', '--no-save', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root, stdio: 'inherit' },
  )
  if (result.error)
    fail(`npm didn't start (${result.error.code}). Install Node with npm from nodejs.org, then try again.`)
  if (result.status !== 0)
    fail("The packages couldn't be installed. Check your network connection and free disk space, then try again.")
  if (!existsSync(projectNode()))
    fail('The packages are installed, but the Node package is missing. Delete node_modules and try again.')
  writeFileSync(stamp, lockHash)
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
