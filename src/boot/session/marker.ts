import { KEYS } from '../../stores/storage/storage.ts'

/** Leaves this page once another tab has signed out. */
export function watchMarker(): void {
  addEventListener('storage', (event) => {
    if (event.key !== KEYS.userId || event.newValue) return
    void import('./marker-gone.ts').then(({ leaveWhenGone }) => leaveWhenGone())
  })
}
