/**
 * Runs a task when the page is idle, after `timeoutMs` at the latest (0: no limit). Browsers without idle callbacks,
 * such as Safari, run the task after 200 ms.
 */
export function whenIdle(task: () => void, timeoutMs = 2000): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => task(), { timeout: timeoutMs })
  else setTimeout(task, 200)
}
