import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { signProviderRequest } from '../../../../functions/lib/proxy/sign-request.ts'

const root = join(import.meta.dirname, '../../../..')
const readSources = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|astro)$/.test(name))
    .map((name) => ({ name: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') }))

test('ERROR-38 the only console-only message is `Invalid token`, from signing an unknown endpoint', () => {
  const consoleCalls = [...readSources('src'), ...readSources('functions')].flatMap(({ name, text }) =>
    [...text.matchAll(/console\.(?:log|info|warn)\(.*/g)].map(([line]) => `${name} ${line}`),
  )
  expect(consoleCalls).toEqual(["functions/lib/proxy/sign-request.ts console.log('Invalid token')"])

  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  expect(signProviderRequest('unknown-endpoint', '', 'token', 'secret')).toBe('')
  expect(log.mock.calls).toEqual([['Invalid token']])
  log.mockRestore()
})

test('pages log nothing to the console on a failure: developer messages use `console.debug`', () => {
  const loggingSources = readSources('src').filter(({ text }) => /console\.(?!debug)/.test(text))
  expect(loggingSources.map(({ name }) => name)).toEqual([])
})
