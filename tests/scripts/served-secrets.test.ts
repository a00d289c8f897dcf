import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadBridgeKey } from '../../scripts/lib/provider-admin.ts'
import { makeEnvironment } from '../../scripts/lib/secrets.ts'
import { loadSecrets } from '../../scripts/lib/secrets-file.ts'
import { makeSite } from '../../scripts/lib/site.ts'
import { filesIn, leaks, secretsOf } from '../support/secrets.ts'

const root = new URL('../..', import.meta.url).pathname

test('SIGN-11 no secret of an installation is in the repository, or in a file that a browser can get', () => {
  const data = mkdtempSync(join(tmpdir(), 'porchlight-secrets-'))
  const origins = { portalOrigin: 'http://localhost:9000', providerOrigin: 'http://127.0.0.1:9001', buildId: 'abc1234' }
  const env = makeEnvironment(loadSecrets(data), origins)
  loadBridgeKey(data)
  makeSite(join(root, 'dist/client'), join(data, 'site'), env)

  const secrets = secretsOf(data)
  const names = ['OIDC_CLIENT_SECRET', 'MEDIA_KEY', 'COOKIE_KEY', 'SIGN_NEW_DEVICE', 'ADMIN_KEY']
  expect(secrets.map(([name]) => name)).toEqual(expect.arrayContaining(names))
  expect(secrets.filter(([, value]) => value.length < 32)).toEqual([])
  // The same search finds each of them where it is kept; the private part of the JWKS is in base64 there.
  expect(leaks([join(data, 'secrets.env'), join(data, 'bridge.key')], secrets)).toHaveLength(secrets.length - 1)

  const served = filesIn(join(data, 'site'))
  expect(served.some((file) => file.endsWith('live.html'))).toBe(true)
  expect(leaks([...served, ...filesIn(join(root, 'dist/client'))], secrets)).toEqual([])
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  expect(tracked.length).toBeGreaterThan(100)
  expect(leaks(tracked, secrets)).toEqual([])
})
