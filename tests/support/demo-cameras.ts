import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { DEMO_HOMES } from '../../contract/operator/operator-calls.ts'
import { formatGatewayPath, type Call } from '../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { setCameraPower } from '../../contract/cameras/owner-calls.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { assignVirtualCameras } from '../../bridge/virtual/assign-virtual-cameras.ts'
import type { Manifest } from '../../scenes/manifest.ts'
import { expect } from './e2e.ts'
import { RESULTS_FOLDER } from './results.ts'

const manifest = JSON.parse(readFileSync('scenes/manifest.json', 'utf8')) as Manifest

export function findDemoCameraId(name: string): string {
  const cameras = assignVirtualCameras(manifest, [{ home_id: DEMO_HOMES.owner, demo: true }])
  const camera = cameras.find(({ nickname }) => nickname === name)
  if (!camera) throw new RangeError(`There is no virtual camera ${name}.`)
  return camera.device_id
}

/** Returns the path of the live page with only this demo camera, so that the browser decodes one video. */
export const singleCameraPath = (name: string): string => `/live?camera=${findDemoCameraId(name)}`

/** Makes a virtual camera of the demo owner record an event that ends now. Returns the id of the camera. */
export async function recordVisit(name: string): Promise<string> {
  const id = findDemoCameraId(name)
  const orderFile = join(RESULTS_FOLDER, 'data/visits', id)
  writeFileSync(orderFile, '')
  await expect.poll(() => existsSync(orderFile)).toBe(false)
  return id
}

/** Sends an API call with the page's session, without using the page's controls. */
export async function sendCall(page: Page, call: Call, data: object): Promise<void> {
  const origin = readEnvironment(`${RESULTS_FOLDER}/data/run.env`)['PORTAL_ORIGIN'] ?? ''
  const xsrf = (await page.context().cookies(origin)).find(({ name }) => name === XSRF_COOKIE)?.value ?? ''
  const answer = await page.request.fetch(origin + formatGatewayPath(call), {
    method: call.method,
    data,
    headers: { origin, 'sec-fetch-site': 'same-origin', [XSRF_HEADER]: xsrf },
  })
  if (!answer.ok()) throw new Error(`${call.path} returned ${answer.status()}: ${await answer.text()}`)
}

/** Switches a camera of the demo owner off and on. A battery camera sleeps afterward. */
export async function powerCycleCamera(page: Page, name: string): Promise<void> {
  for (const on of [false, true]) await sendCall(page, setCameraPower, { device_id: findDemoCameraId(name), on })
}
