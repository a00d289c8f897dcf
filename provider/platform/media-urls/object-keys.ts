/** Keys of stored objects (provider/STORAGE.md). Everything of a home lies under its own prefix. */
export const homePrefix = (homeId: string) => `h/${homeId}/`
/** Clips and pictures of demo history, shared by many rows; retention never deletes them. */
const DEMO_PREFIX = 'demo/'

const SUFFIX = { clip: 'mp4', thumb: 'jpg' } as const

/** Where the clip or picture called `name` is stored: by event id in its home, or as a shared object of demo history. */
export function objectKey(homeId: string, kind: 'clip' | 'thumb', name: string, shared: boolean): string {
  return `${shared ? DEMO_PREFIX : homePrefix(homeId)}${kind}/${name}.${SUFFIX[kind]}`
}

export function lastPictureKey(homeId: string, deviceId: string): string {
  return `${homePrefix(homeId)}last/${deviceId}.jpg`
}

/** Whether an event of this home may name the object as its own. */
export function mayUseObject(homeId: string, demo: boolean, kind: 'clip' | 'thumb', key: string): boolean {
  return key.startsWith(`${homePrefix(homeId)}${kind}/`) || (demo && key.startsWith(`${DEMO_PREFIX}${kind}/`))
}

/** Whose last picture the object is; null for any other object. */
export function readLastPictureKey(key: string): { homeId: string; deviceId: string } | null {
  const [, homeId, deviceId] = /^h\/([^/]+)\/last\/([^/]+)\.jpg$/.exec(key) ?? []
  return homeId && deviceId ? { homeId, deviceId } : null
}
