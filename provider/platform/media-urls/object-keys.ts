/** Returns the prefix of a home's stored objects (provider/STORAGE.md). */
export const getHomePrefix = (homeId: string) => `h/${homeId}/`
/** Prefix of demo clips and thumbnails. Many events share each of them, so retention never deletes them. */
const DEMO_PREFIX = 'demo/'

const FILE_EXTENSIONS = { clip: 'mp4', thumb: 'jpg' } as const

/**
 * Returns the storage key of the clip or thumbnail `name`. `isShared`: true for a demo object, false for an object in
 * the folder of the home.
 */
export function getObjectKey(homeId: string, kind: 'clip' | 'thumb', name: string, isShared: boolean): string {
  return `${isShared ? DEMO_PREFIX : getHomePrefix(homeId)}${kind}/${name}.${FILE_EXTENSIONS[kind]}`
}

export function getLastPictureKey(homeId: string, deviceId: string): string {
  return `${getHomePrefix(homeId)}last/${deviceId}.jpg`
}

export function canUseObject(homeId: string, isDemo: boolean, kind: 'clip' | 'thumb', key: string): boolean {
  return key.startsWith(`${getHomePrefix(homeId)}${kind}/`) || (isDemo && key.startsWith(`${DEMO_PREFIX}${kind}/`))
}

/** Returns the home and camera in the storage key of a last picture, or null for any other key. */
export function parseLastPictureKey(key: string): { homeId: string; deviceId: string } | null {
  const [, homeId, deviceId] = /^h\/([^/]+)\/last\/([^/]+)\.jpg$/.exec(key) ?? []
  return homeId && deviceId ? { homeId, deviceId } : null
}
