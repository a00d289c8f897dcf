import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

const root = new URL('../..', import.meta.url).pathname

type NamedSecret = readonly [name: string, value: string]

/**
 * Returns the name and value of each secret of an installation: the entries of `secrets.env`, the bridge key, and the
 * decoded private part of the provider's signing key.
 */
export function readSecrets(dataFolder: string): NamedSecret[] {
  const lines = readFileSync(join(dataFolder, 'secrets.env'), 'utf8').split('\n')
  const stored = lines.flatMap((line): NamedSecret[] => {
    const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(line) ?? []
    return name ? [[name, value]] : []
  })
  const jwks = Buffer.from(Object.fromEntries(stored)['PROVIDER_JWKS'] ?? '', 'base64').toString('utf8')
  const { keys } = JSON.parse(jwks) as { keys: { d: string }[] }
  const bridge = JSON.parse(readFileSync(join(dataFolder, 'bridge.key'), 'utf8')) as { key: string }
  return [
    ...stored,
    ['the bridge key', bridge.key],
    ...keys.map(({ d }): NamedSecret => ['the private part of PROVIDER_JWKS', d]),
  ]
}

/** Returns `file: name` for each secret that a file contains. Skips folders and files that no longer exist. */
export function findLeaks(files: readonly string[], secrets: readonly NamedSecret[]): string[] {
  return files
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .flatMap((file) => {
      const text = readFileSync(file, 'latin1')
      return secrets.filter(([, value]) => text.includes(value)).map(([name]) => `${file}: ${name}`)
    })
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
}

/** Asserts that neither the repository nor a file served to browsers contains a secret of the `data` installation. */
export function expectNoLeak(dataFolder: string): void {
  const secrets = readSecrets(dataFolder)
  const names = ['OIDC_CLIENT_SECRET', 'MEDIA_KEY', 'COOKIE_KEY', 'SIGN_NEW_DEVICE', 'ADMIN_KEY']
  expect(secrets.map(([name]) => name)).toEqual(expect.arrayContaining(names))
  expect(secrets.filter(([, value]) => value.length < 32)).toEqual([])
  // Verifies `findLeaks`: it must find each secret in the file that stores the secret. The exception is the private
  // part of the JWKS, because `secrets.env` contains it only in base64.
  expect(findLeaks([join(dataFolder, 'secrets.env'), join(dataFolder, 'bridge.key')], secrets)).toHaveLength(
    secrets.length - 1,
  )

  const served = listFiles(join(dataFolder, 'site'))
  expect(served.some((file) => file.endsWith('live.html'))).toBe(true)
  expect(findLeaks([...served, ...listFiles(join(root, 'dist/client'))], secrets)).toEqual([])
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  expect(tracked.length).toBeGreaterThan(100)
  const files = tracked.map((file) => join(root, file))
  expect(findLeaks(files, secrets)).toEqual([])
}
