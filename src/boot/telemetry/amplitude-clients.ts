import { AmplitudeEvents } from '../../services/amplitude-events.ts'
import { AmplitudeExperiments } from '../../services/amplitude-experiments.ts'
import type { AnalyticsClients } from './page-analytics.ts'

/** The libraries of Amplitude, which a page loads only with `ANALYTICS_LIBRARY=amplitude`. */
export const AMPLITUDE_CLIENTS: AnalyticsClients = {
  createEvents(ports) {
    suppressOwnErrors()
    return new AmplitudeEvents(ports)
  },
  createExperiment: (ports) => new AmplitudeExperiments(ports),
}

/**
 * Hides errors of this file from the browser's console: the libraries do not handle every response of the sinks. Error
 * reports still receive these errors.
 */
function suppressOwnErrors(): void {
  const isOurs = (source: unknown) => String(source).includes(import.meta.url)
  addEventListener('unhandledrejection', (event) => {
    if (isOurs((event.reason as Error | null)?.stack)) event.preventDefault()
  })
  addEventListener('error', (event) => {
    if (isOurs(event.filename)) event.preventDefault()
  })
}
