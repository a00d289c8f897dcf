import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

const root = new URL('../..', import.meta.url).pathname

type Secret = readonly [name: string, value: string]

/**
 * Returns the secrets of an installation in their stored form, the bridge key, and the private part of the provider's
 * signing key.
 */
export function readSecrets(data: string): Secret[] {
  const lines = readFileSync(join(data, 'secrets.env'), 'utf8').split('\n')
  const stored = lines.flatMap((line): Secret[] => {
    const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(line) ?? []
    return name ? [[name, value]] : []
  })
  const jwks = Buffer.from(Object.fromEntries(stored)['PROVIDER_JWKS'] ?? '', 'base64').toString('utf8')
  const { keys } = JSON.parse(jwks) as { keys: { d: string }[] }
  const bridge = JSON.parse(readFileSync(join(data, 'bridge.key'), 'utf8')) as { key: string }
  return [
    ...stored,
    ['the key of the bridge', bridge.key],
    ...keys.map(({ d }): Secret => ['the private part of PROVIDER_JWKS', d]),
  ]
}

/** Returns `file: name` for each secret in a file. Skips files that no longer exist. */
export function leaks(files: readonly string[], secrets: readonly Secret[]): string[] {
  return files
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .flatMap((file) => {
      const text = readFileSync(file, 'latin1')
      return secrets.filter(([, value]) => text.includes(value)).map(([name]) => `${file}: ${name}`)
    })
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
}

/** Asserts that no secret of the installation in `data` is in the repository, or in a file that a browser can get. */
export function expectNoLeak(data: string): void {
  const secrets = readSecrets(data)
  const names = ['OIDC_CLIENT_SECRET', 'MEDIA_KEY', 'COOKIE_KEY', 'SIGN_NEW_DEVICE', 'ADMIN_KEY']
  expect(secrets.map(([name]) => name)).toEqual(expect.arrayContaining(names))
  expect(secrets.filter(([, value]) => value.length < 32)).toEqual([])
  // Check that `leaks` works: it must find each secret in the file that stores it. The private part of the JWKS is the
  // exception, because that file contains it only in base64.
  expect(leaks([join(data, 'secrets.env'), join(data, 'bridge.key')], secrets)).toHaveLength(secrets.length - 1)

  const served = filesIn(join(data, 'site'))
  expect(served.some((file) => file.endsWith('live.html'))).toBe(true)
  expect(leaks([...served, ...filesIn(join(root, 'dist/client'))], secrets)).toEqual([])
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  expect(tracked.length).toBeGreaterThan(100)
  const files = tracked.map((file) => join(root, file))
  expect(leaks(files, secrets)).toEqual([])
}
