import { KEYS } from '../../stores/storage/storage-keys.ts'

/** Leaves this page once another tab has signed out. */
export function watchMarker(): void {
  addEventListener('storage', (event) => {
    if (event.key !== KEYS.userId || event.newValue) return
    void import('./wait-for-sign-out.ts').then(({ leaveWhenGone }) => leaveWhenGone())
  })
}
