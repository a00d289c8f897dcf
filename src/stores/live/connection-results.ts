import { map } from 'nanostores'

/** Device addresses that connected and that failed (LIVE-08). Those that failed try again once the browser is online. */
export const $liveConnection = map<{ success: readonly string[]; failure: readonly string[] }>({
  success: [],
  failure: [],
})

/** One camera has connected or failed: it moves to that list and leaves the other (LIVE-09). */
export function updateLive({ success, address }: { success: boolean; address: string }): void {
  const now = $liveConnection.get()
  $liveConnection.set({
    success: success ? withIt(now.success, address) : without(now.success, address),
    failure: success ? without(now.failure, address) : withIt(now.failure, address),
  })
}

/** Empties both lists: the page is left, and its connections with it. */
export function resetLive(): void {
  $liveConnection.set({ success: [], failure: [] })
}

/** Keeps, in both lists, only the cameras that are still listed. */
export function setLive(addresses: readonly string[]): void {
  const { success, failure } = $liveConnection.get()
  const isListed = (address: string) => addresses.includes(address)
  $liveConnection.set({ success: success.filter(isListed), failure: failure.filter(isListed) })
}

const withIt = (list: readonly string[], address: string) => (list.includes(address) ? list : [...list, address])
const without = (list: readonly string[], address: string) => list.filter((item) => item !== address)
