import { map } from 'nanostores'

/**
 * Device addresses whose connection succeeded, and those whose connection failed (LIVE-08). Failed ones retry when the
 * browser is online again.
 */
export const $liveConnection = map<{ success: readonly string[]; failure: readonly string[] }>({
  success: [],
  failure: [],
})

/** Adds a camera to the list of its latest result, success or failure, and removes it from the other list (LIVE-09). */
export function updateLive({ success, address }: { success: boolean; address: string }): void {
  const now = $liveConnection.get()
  $liveConnection.set({
    success: success ? withIt(now.success, address) : without(now.success, address),
    failure: success ? without(now.failure, address) : withIt(now.failure, address),
  })
}

export function resetLive(): void {
  $liveConnection.set({ success: [], failure: [] })
}

export function setLive(addresses: readonly string[]): void {
  const { success, failure } = $liveConnection.get()
  const isListed = (address: string) => addresses.includes(address)
  $liveConnection.set({ success: success.filter(isListed), failure: failure.filter(isListed) })
}

const withIt = (list: readonly string[], address: string) => (list.includes(address) ? list : [...list, address])
const without = (list: readonly string[], address: string) => list.filter((item) => item !== address)
