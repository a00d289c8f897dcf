import { map } from 'nanostores'

/**
 * Device ids, which LIVE-08 calls addresses, of the cameras whose latest connection succeeded or failed. The page
 * retries failed connections when the browser is online again.
 */
export const $connectionResults = map<{ success: readonly string[]; failure: readonly string[] }>({
  success: [],
  failure: [],
})

/** Adds a camera to the success or failure list and removes it from the other list (LIVE-09). */
export function recordConnectionResult({ success, address }: { success: boolean; address: string }): void {
  const results = $connectionResults.get()
  $connectionResults.set({
    success: success ? addAddress(results.success, address) : removeAddress(results.success, address),
    failure: success ? removeAddress(results.failure, address) : addAddress(results.failure, address),
  })
}

export function clearConnectionResults(): void {
  $connectionResults.set({ success: [], failure: [] })
}

export function retainConnectionResults(addresses: readonly string[]): void {
  const { success, failure } = $connectionResults.get()
  const isListed = (address: string) => addresses.includes(address)
  $connectionResults.set({ success: success.filter(isListed), failure: failure.filter(isListed) })
}

const addAddress = (list: readonly string[], address: string) => (list.includes(address) ? list : [...list, address])
const removeAddress = (list: readonly string[], address: string) => list.filter((item) => item !== address)
