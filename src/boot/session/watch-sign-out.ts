import { STORAGE_KEYS } from '../../stores/storage/storage-keys.ts'

export function watchSignOut(): void {
  addEventListener('storage', (event) => {
    if (event.key !== STORAGE_KEYS.userId || event.newValue) return
    void import('./wait-for-sign-out.ts').then(({ leaveAfterSignOut }) => leaveAfterSignOut())
  })
}
