import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { loadBridgeKey } from '../../../scripts/lib/provider-admin.ts'
import { makeEnvironment } from '../../../scripts/lib/secrets.ts'
import { loadSecrets } from '../../../scripts/lib/secrets-file.ts'
import { makeSite } from '../../../scripts/lib/site.ts'
import { expectNoLeak } from '../../support/secrets.ts'

const root = new URL('../../..', import.meta.url).pathname

test('SIGN-11 no secret of an installation is in the repository or in a file served to browsers', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-secrets-'))
  const origins = { portalOrigin: 'http://localhost:9000', providerOrigin: 'http://127.0.0.1:9001', buildId: 'abc1234' }
  const env = makeEnvironment(loadSecrets(dataFolder), origins)
  loadBridgeKey(dataFolder)
  makeSite(join(root, 'dist/client'), join(dataFolder, 'site'), env)
  expectNoLeak(dataFolder)
})
