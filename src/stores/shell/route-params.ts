import { keptJson } from '../storage/persistent-atoms.ts'
import { KEYS } from '../storage/storage-keys.ts'

export type RouteParams = Readonly<Record<string, string>>

const isMap = (value: unknown): value is RouteParams =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((item) => typeof item === 'string')

/** Route parameters that outlive their URL (STORE-03): key to value, in browser storage. */
export const $routeParams = keptJson<RouteParams>(KEYS.routeParams, {}, isMap)

export function setRouteParam(name: string, value: string): void {
  $routeParams.set({ ...$routeParams.get(), [name]: value })
}

export function dropRouteParam(name: string): void {
  const { [name]: dropped, ...others } = $routeParams.get()
  if (dropped !== undefined) $routeParams.set(others)
}
