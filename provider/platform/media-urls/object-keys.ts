/** Returns the prefix of a home's stored objects (provider/STORAGE.md). */
export const homePrefix = (homeId: string) => `h/${homeId}/`
/** Prefix of demo clips and thumbnails, which many rows share; retention never deletes them. */
const DEMO_PREFIX = 'demo/'

const SUFFIX = { clip: 'mp4', thumb: 'jpg' } as const

/**
 * Returns the storage key of a clip or thumbnail called `name`: in the home's own folder, or among the demo objects if
 * `shared` is true.
 */
export function objectKey(homeId: string, kind: 'clip' | 'thumb', name: string, shared: boolean): string {
  return `${shared ? DEMO_PREFIX : homePrefix(homeId)}${kind}/${name}.${SUFFIX[kind]}`
}

export function lastPictureKey(homeId: string, deviceId: string): string {
  return `${homePrefix(homeId)}last/${deviceId}.jpg`
}

export function mayUseObject(homeId: string, demo: boolean, kind: 'clip' | 'thumb', key: string): boolean {
  return key.startsWith(`${homePrefix(homeId)}${kind}/`) || (demo && key.startsWith(`${DEMO_PREFIX}${kind}/`))
}

/** Returns the home and camera of a last picture, or null for any other object. */
export function readLastPictureKey(key: string): { homeId: string; deviceId: string } | null {
  const [, homeId, deviceId] = /^h\/([^/]+)\/last\/([^/]+)\.jpg$/.exec(key) ?? []
  return homeId && deviceId ? { homeId, deviceId } : null
}
