import type { InsightsReport } from '../../../contract/telemetry/insights-report.ts'

type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number]

/** Formats the report of today in the Prometheus text format, version 0.0.4. Times in seconds. */
export function formatMetrics(report: InsightsReport): string {
  const { vitals, first_picture, funnels, experiments, errors } = report
  const quantiles = [
    [0.5, first_picture.p50],
    [0.75, first_picture.p75],
    [0.95, first_picture.p95],
  ] as const
  return [
    formatGauge('sample_rate', 'Visits, visitors and page views are estimates from 1 in this number of browsers.', [
      [{}, report.sample_rate],
    ]),
    formatGauge('visits', 'Visits today (UTC).', [[{}, report.visits]]),
    formatGauge('visitors', 'Unique browsers today.', [[{}, report.visitors]]),
    formatGauge('page_views', 'Page views today.', [[{}, report.views]]),
    formatGauge(
      'web_vital_p75',
      '75th percentile of a Web Vital by page, in seconds. CLS has no unit.',
      vitals.map(({ route, metric, p75 }) => [{ route, metric }, metric === 'CLS' ? p75 : p75 / 1000]),
    ),
    formatGauge(
      'first_picture_seconds',
      'Time from navigation to the first live video frame.',
      quantiles.flatMap(([quantile, ms]) =>
        ms === null ? [] : [[{ quantile: String(quantile) }, ms / 1000] as const],
      ),
    ),
    formatGauge(
      'funnel_people',
      'Browsers that completed a step and all earlier steps.',
      funnels.flatMap(({ name, steps }) =>
        steps.map((step) => [{ funnel: name, step: step.name }, step.people] as const),
      ),
    ),
    formatGauge('experiment_seen', 'People who saw a variant.', toArmSamples(experiments, 'seen')),
    formatGauge('experiment_bought', 'People who bought after seeing a variant.', toArmSamples(experiments, 'bought')),
    formatGauge(
      'error_kinds',
      'Error groups seen today, by the release that last reported each group.',
      errors.map(({ build, kinds }) => [{ build }, kinds]),
    ),
    formatGauge(
      'error_reports',
      'Error reports today, by release.',
      errors.map(({ build, reports }) => [{ build }, reports]),
    ),
    formatGauge('events_left_out', 'Events dropped today because the daily limit was reached.', [
      [{}, report.left_out.reduce((sum, { events }) => sum + events, 0)],
    ]),
  ].join('')
}

const toArmSamples = (experiments: InsightsReport['experiments'], field: 'seen' | 'bought'): Sample[] =>
  experiments.flatMap(({ flag, arms }) => arms.map((arm) => [{ flag, variant: arm.variant }, arm[field]] as const))

function formatGauge(name: string, help: string, samples: readonly Sample[]): string {
  const fullName = `porchlight_${name}`
  const lines = samples.map(([labels, value]) => `${fullName}${formatLabels(labels)} ${value}\n`)
  return `# HELP ${fullName} ${help}\n# TYPE ${fullName} gauge\n${lines.join('')}`
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapeLabel = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
