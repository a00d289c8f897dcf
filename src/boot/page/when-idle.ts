/**
 * Runs a task when the page is idle, after `timeout` ms at the latest; 0 means no limit. Safari has no idle callback.
 */
export function whenIdle(task: () => void, timeout = 2000): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => task(), { timeout })
  else setTimeout(task, 200)
}
