import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { getHomeDevices } from '../../../contract/cameras/devices.ts'
import type { Env } from '../../../provider/env.ts'
import { readPreviewOperator, startBridge } from '../../../scripts/lib/preview-bridge.ts'
import { openTestDeployment, type TestDeployment } from '../../support/harness.ts'
import { START_WAIT_OPTIONS } from '../../support/porchlight.ts'
import { createNonceAt, sendCallAsEdge, signInAtProvider } from '../../support/provider.ts'

const root = new URL('../../..', import.meta.url).pathname
let deployment: TestDeployment
let folder: string
let secretsFile: string
/** Long test timeout in ms, because the tests start a bridge and wait until it is connected. */
vi.setConfig({ testTimeout: 480_000 })
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'porchlight-preview-'))
  deployment = await openTestDeployment()
  secretsFile = join(folder, 'provider.secrets.json')
  writeFileSync(secretsFile, JSON.stringify(deployment.env))
})
afterAll(async () => {
  await deployment.close()
  rmSync(folder, { recursive: true })
})

async function listAwakeCameras(token: string): Promise<string[]> {
  const payload = { device_category: 'camera', env: 'test', nonce: createNonceAt() }
  const answer = await sendCallAsEdge(deployment.env, getHomeDevices, token, { payload })
  const { data } = v.parse(getHomeDevices.response, await answer.json())
  return data.device_list.filter(({ state }) => state === 'awake').map(({ nickname }) => nickname)
}

test('a preview bridge enrolls automatically and adds two cameras to the home of the demo owner', async () => {
  const operator = readPreviewOperator(secretsFile, deployment.env.PROVIDER_ORIGIN)
  const stop = await startBridge(root, join(folder, 'bridge'), operator, () => {})
  try {
    const { access_token: token } = await signInAtProvider(deployment.env)
    await vi.waitFor(
      async () => expect(await listAwakeCameras(token)).toEqual(['Driveway', 'Front door']),
      START_WAIT_OPTIONS,
    )
  } finally {
    await stop()
  }
})

test('a bridge that was removed in the portal is replaced by one with another identity', async () => {
  const operator = readPreviewOperator(secretsFile, deployment.env.PROVIDER_ORIGIN)
  const { DB } = (await deployment.provider.getWorker().getEnv()) as Env
  await DB.prepare('UPDATE bridges SET revoked_at = 1').run()
  const stopAnother = await startBridge(root, join(folder, 'another'), operator, () => {})
  await stopAnother()
  const { results } = await DB.prepare('SELECT bridge_id FROM bridges WHERE revoked_at IS NULL').all()
  expect(results).toHaveLength(1)
})

test('a preview that was uploaded from another computer gets no bridge', () => {
  expect(() => readPreviewOperator(join(folder, 'nothing.json'), deployment.env.PROVIDER_ORIGIN)).toThrow(
    /Run npm run preview first/,
  )
})
