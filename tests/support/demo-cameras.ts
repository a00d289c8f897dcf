import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { DEMO_HOMES } from '../../contract/operator/operator-calls.ts'
import { gatewayPath, type Call } from '../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { setCameraPower } from '../../contract/cameras/owner-calls.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { placeCameras } from '../../bridge/virtual/assign-virtual-cameras.ts'
import type { Manifest } from '../../scenes/manifest.ts'
import { expect } from './e2e.ts'
import { RESULTS } from './results.ts'

const manifest = JSON.parse(readFileSync('scenes/manifest.json', 'utf8')) as Manifest

export function demoCamera(name: string): string {
  const cameras = placeCameras(manifest, [{ home_id: DEMO_HOMES.owner, demo: true }])
  const camera = cameras.find(({ nickname }) => nickname === name)
  if (!camera) throw new RangeError(`There is no virtual camera ${name}.`)
  return camera.device_id
}

/** Returns the path of the live page with only this camera of the demo owner, so that the browser decodes one video. */
export const alone = (name: string): string => `/live?camera=${demoCamera(name)}`

/** Makes a virtual camera of the demo owner record a visit that ends now. Returns the id of the camera. */
export async function orderVisit(name: string): Promise<string> {
  const id = demoCamera(name)
  const order = join(RESULTS, 'data/visits', id)
  writeFileSync(order, '')
  await expect.poll(() => existsSync(order)).toBe(false)
  return id
}

/** Sends a call with the session of the page, without using its controls. */
export async function send(page: Page, call: Call, data: object): Promise<void> {
  const origin = readEnvironment(`${RESULTS}/data/run.env`)['PORTAL_ORIGIN'] ?? ''
  const xsrf = (await page.context().cookies(origin)).find(({ name }) => name === XSRF_COOKIE)?.value ?? ''
  const answer = await page.request.fetch(origin + gatewayPath(call), {
    method: call.method,
    data,
    headers: { origin, 'sec-fetch-site': 'same-origin', [XSRF_HEADER]: xsrf },
  })
  if (!answer.ok()) throw new Error(`${call.path} was answered ${answer.status()}: ${await answer.text()}`)
}

/** Switches a camera of the demo owner off and on. A battery camera sleeps afterward. */
export async function switchOffAndOn(page: Page, name: string): Promise<void> {
  for (const on of [false, true]) await send(page, setCameraPower, { device_id: demoCamera(name), on })
}
