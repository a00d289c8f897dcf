import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeSecrets, rotateKeys, type RunEnvironment, type Secrets } from './secrets.ts'
import { StopError } from './stop.ts'

/** Minimum length of a secret. A shorter secret has been truncated or edited. */
const SECRET_MIN_LENGTH = 32

/**
 * Loads the secrets of a data folder from `secrets.env` (mode 0600) and creates missing ones. Prints a warning if the
 * folder has provider data but no secrets. Throws a `StopError` if the file is unreadable or a secret is too short.
 */
export function loadSecrets(data: string, printLine: (line: string) => void = () => undefined): Secrets {
  const path = join(data, 'secrets.env')
  if (!existsSync(path) && existsSync(join(data, 'state', 'provider', 'v3'))) printLine(describeNewSecrets(path))
  const existing = existsSync(path) ? parseEnvironment(readText(path)) : {}
  const short = Object.keys(existing).find((name) => (existing[name] ?? '').length < SECRET_MIN_LENGTH)
  if (short)
    throw new StopError(
      `${short} in ${path} is incomplete. Restore the file from a backup, or delete that line to create a new value.`,
    )
  const secrets = makeSecrets(existing)
  writePrivateFile(path, secrets)
  return secrets
}

const describeNewSecrets = (path: string) =>
  `${path} was missing, so new secrets were created. Everyone has to log in again, and existing two-step verification no longer works. If you have a backup, stop Porchlight, restore the file, and start Porchlight again.`

/**
 * Rotates the keys in the environment file `path` (`secrets.env`, or the file of a deployment). Leaves all other lines
 * unchanged. Throws `StopError` if a required key is missing or invalid.
 */
export function rotateKeysInFile(path: string): void {
  const text = readText(path)
  const fresh = computeRotatedKeys(path, parseEnvironment(text))
  const lines = text.split('\n').filter((line) => !Object.keys(fresh).some((name) => line.startsWith(`${name}=`)))
  const remaining = lines.join('\n').replace(/\n*$/, '\n')
  const changed = Object.entries(fresh).map(([name, value]) => `${name}=${value}\n`)
  writeAtomically(path, remaining + changed.join(''))
}

function computeRotatedKeys(path: string, existing: Record<string, string>): Record<string, string> {
  try {
    return rotateKeys(existing)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StopError(`The keys in ${path} can't be changed: ${why} Nothing was changed.`)
  }
}

export function writeEnvironment(data: string, env: RunEnvironment): string {
  const path = join(data, 'run.env')
  writePrivateFile(path, env)
  return path
}

export function readEnvironment(path: string): Partial<Record<string, string>> {
  return parseEnvironment(readText(path))
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StopError(
      `The secrets in ${path} can't be read (${why}). Nothing was changed. Make the file readable, then try again.`,
    )
  }
}

function parseEnvironment(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
}

/** Writes an environment file that only its owner can read. */
export function writePrivateFile(path: string, values: object): void {
  mkdirSync(join(path, '..'), { recursive: true })
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  writeAtomically(path, lines.join(''))
}

function writeAtomically(path: string, text: string): void {
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, text, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  renameSync(fresh, path)
}
