import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../support/e2e.ts'

const DATA = 'test-results/data'

/** The secrets of this installation, each as it is kept, and the private part of the provider's signing key. */
function secrets(): [name: string, value: string][] {
  const lines = readFileSync(join(DATA, 'secrets.env'), 'utf8').split('\n')
  const kept = lines.flatMap((line): [string, string][] => {
    const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(line) ?? []
    return name ? [[name, value]] : []
  })
  const jwks = Buffer.from(Object.fromEntries(kept)['PROVIDER_JWKS'] ?? '', 'base64').toString('utf8')
  const { keys } = JSON.parse(jwks) as { keys: { d: string }[] }
  return [...kept, ...keys.map(({ d }): [string, string] => ['the private part of PROVIDER_JWKS', d])]
}

/** `file: name` for each secret in a file. */
function leaks(files: readonly string[], known = secrets()): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'latin1')
    return known.filter(([, value]) => text.includes(value)).map(([name]) => `${file}: ${name}`)
  })
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile())
}

test('SIGN-11 no secret of the installation is in the repository or in a file that a browser can get', async () => {
  const known = secrets()
  expect(known.map(([name]) => name)).toEqual(
    expect.arrayContaining(['OIDC_CLIENT_SECRET', 'MEDIA_KEY', 'COOKIE_KEY', 'SIGN_NEW_DEVICE', 'ADMIN_KEY']),
  )
  expect(known.filter(([, value]) => value.length < 32)).toEqual([])
  // The same search finds each of them where it is kept.
  expect(leaks([join(DATA, 'secrets.env')])).toHaveLength(known.length - 1)

  const served = filesIn(join(DATA, 'site'))
  expect(served.some((file) => file.endsWith('live.html'))).toBe(true)
  expect(leaks([...served, ...filesIn('dist/client')])).toEqual([])
  const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean)
  expect(tracked.length).toBeGreaterThan(100)
  expect(leaks(tracked.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile()))).toEqual([])
})
