/** Runs a task when the page is idle, after `timeoutMs` at the latest (0: no limit). Safari has no idle callback. */
export function whenIdle(task: () => void, timeoutMs = 2000): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => task(), { timeout: timeoutMs })
  else setTimeout(task, 200)
}
