import { persistentJson } from '../storage/persistent-atoms.ts'
import { STORAGE_KEYS } from '../storage/storage-keys.ts'

export type RouteParams = Readonly<Record<string, string>>

const isRouteParams = (value: unknown): value is RouteParams =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((item) => typeof item === 'string')

/** URL parameters that stay stored after the URL has changed (STORE-03), by name. */
export const $routeParams = persistentJson<RouteParams>(STORAGE_KEYS.routeParams, {}, isRouteParams)

export function setRouteParam(name: string, value: string): void {
  $routeParams.set({ ...$routeParams.get(), [name]: value })
}

export function removeRouteParam(name: string): void {
  const { [name]: dropped, ...others } = $routeParams.get()
  if (dropped !== undefined) $routeParams.set(others)
}
