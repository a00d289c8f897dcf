/** Runs a task when the page has nothing better to do, at the latest after `timeout` ms, which 0 does away with. Safari has no idle callback. */
export function whenIdle(task: () => void, timeout = 2000): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => task(), { timeout })
  else setTimeout(task, 200)
}
