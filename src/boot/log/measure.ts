import { readMeasuring, writeVariant } from '../../stores/storage/measured.ts'

/** Measures this page where its browser lets it; libraries are loaded for that alone. */
export function startMeasuring(): void {
  if (readMeasuring(Date.now()) === 'on')
    void import('./measure-page.ts').then((it) => it.measurePage()).catch(console.debug)
  // Whom nobody counts is in no experiment.
  else writeVariant(null)
}
