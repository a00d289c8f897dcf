/** Shortcut that the page holds until its code has loaded (boot/early/inline-script.ts). */
export type HeldShortcut = '/' | '?'

/** Returns true once if the key was pressed before. From this call on, the caller handles the key. */
export function releaseShortcut(key: HeldShortcut): boolean {
  const { dataset } = document.documentElement
  dataset['handled'] = `${dataset['handled'] ?? ''}${key}`
  const isHeld = dataset['held'] === key
  if (isHeld) delete dataset['held']
  return isHeld
}
