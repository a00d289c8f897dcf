import { readFileSync } from 'node:fs'
import type { BrowserContext, Cookie } from 'playwright/test'
import { createAccount, PASSWORD, signInContext } from './browser-account.ts'
import { addNewCameras, type NewCameras } from './new-cameras.ts'

export const OFFLINE_CAMERA_NAMES = ['Driveway', 'Front door', 'Backyard', 'Living room', 'Street', 'Garage'] as const
const LAST_PICTURE = readFileSync('scenes/rendered/driveway/day-poster.jpg')

export interface OfflineHome extends NewCameras {
  readonly email: string
}

let sharedHome: { readonly home: OfflineHome; readonly cookies: Cookie[] } | undefined

/**
 * Signs a browser context in to a new home without a running bridge. Its cameras have names and last pictures, but no
 * video.
 */
export async function openOfflineHome(
  context: BrowserContext,
  names: readonly string[] = OFFLINE_CAMERA_NAMES,
): Promise<OfflineHome> {
  const email = await createAccount('still')
  const cameras = await addNewCameras(email, names)
  const uploadLastPicture = (id: string) => cameras.bridge.upload(id, 'last', id, LAST_PICTURE)
  await Promise.all(names.map((name) => uploadLastPicture(cameras.getDeviceId(name))))
  await signInContext(context, email, PASSWORD)
  return { ...cameras, email }
}

/** Signs in to an offline home that tests share. The tests must change nothing in the account. */
export async function openSharedOfflineHome(context: BrowserContext): Promise<OfflineHome> {
  if (sharedHome) await context.addCookies(sharedHome.cookies)
  else sharedHome = { home: await openOfflineHome(context), cookies: await context.cookies() }
  return sharedHome.home
}

export async function shareSignIn(context: BrowserContext, from: BrowserContext): Promise<void> {
  await context.addCookies(await from.cookies())
}
