import { readFileSync } from 'node:fs'
import type { BrowserContext, Cookie } from 'playwright/test'
import { newAccount, PASSWORD, signInContext } from './browser-account.ts'
import { newCameras, type NewCameras } from './new-cameras.ts'

export const STILL = ['Driveway', 'Front door', 'Backyard', 'Living room', 'Street', 'Garage'] as const
const POSTER = readFileSync('scenes/rendered/driveway/day-poster.jpg')

export interface StillHome extends NewCameras {
  readonly email: string
}

let shared: { readonly home: StillHome; readonly cookies: Cookie[] } | undefined

/**
 * Signs a browser context in to a new home without a running bridge: its cameras have names, areas and last pictures,
 * but no video to decode.
 */
export async function openStillHome(context: BrowserContext, names: readonly string[] = STILL): Promise<StillHome> {
  const email = await newAccount('still')
  const cameras = await newCameras(email, names)
  const showLast = (id: string) => cameras.bridge.upload(id, 'last', id, POSTER)
  await Promise.all(names.map((name) => showLast(cameras.idOf(name))))
  await signInContext(context, email, PASSWORD)
  return { ...cameras, email }
}

/** Signs in to a shared still home, for tests that change nothing in the account. */
export async function openSharedHome(context: BrowserContext): Promise<StillHome> {
  if (shared) await context.addCookies(shared.cookies)
  else shared = { home: await openStillHome(context), cookies: await context.cookies() }
  return shared.home
}

export async function joinStillHome(context: BrowserContext, from: BrowserContext): Promise<void> {
  await context.addCookies(await from.cookies())
}
