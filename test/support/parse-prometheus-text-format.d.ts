declare module 'parse-prometheus-text-format' {
  /** Parses the text format of Prometheus. */
  export default function parse(text: string): unknown;
}
