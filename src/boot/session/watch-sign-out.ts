import { KEYS } from '../../stores/storage/storage-keys.ts'

export function watchMarker(): void {
  addEventListener('storage', (event) => {
    if (event.key !== KEYS.userId || event.newValue) return
    void import('./wait-for-sign-out.ts').then(({ leaveWhenGone }) => leaveWhenGone())
  })
}
