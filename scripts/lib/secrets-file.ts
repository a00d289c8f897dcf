import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeSecrets, type RunEnvironment, type Secrets } from './secrets.ts'
import { Stop } from './stop.ts'

/** Secrets shorter than this were cut or edited. */
const MIN_LENGTH = 32

/** The secrets of a data folder: made at the first start, kept for ever, readable by their owner only. */
export function loadSecrets(data: string): Secrets {
  const path = join(data, 'secrets.env')
  const have = existsSync(path) ? parse(read(path)) : {}
  const short = Object.keys(have).find((name) => (have[name] ?? '').length < MIN_LENGTH)
  if (short)
    throw new Stop(
      `${short} in ${path} is cut short. Restore the file from a backup, or delete that line to have a new one made.`,
    )
  const secrets = makeSecrets(have)
  writePrivate(path, secrets)
  return secrets
}

/** Writes the whole environment of a run for both Workers and answers the path. */
export function writeEnvironment(data: string, env: RunEnvironment): string {
  const path = join(data, 'run.env')
  writePrivate(path, env)
  return path
}

/** The values of an environment file, such as `DATA/run.env`. */
export function readEnvironment(path: string): Partial<Record<string, string>> {
  return parse(read(path))
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Stop(
      `The secrets in ${path} cannot be read (${why}). Make the file readable for you, then start again. Nothing was changed.`,
    )
  }
}

function parse(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
}

/** Writes an environment file that only its owner can read. */
export function writePrivate(path: string, values: object): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(
    path,
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
    { mode: 0o600 },
  )
  chmodSync(path, 0o600)
}
