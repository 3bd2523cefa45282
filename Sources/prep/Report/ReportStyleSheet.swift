/// The style sheet of the page: dense, and in the system's fonts. All text has a contrast of at least 4.5 to 1 with its
/// background, in light and dark mode.
enum ReportStyleSheet {
    static let css =
        colorRules + pageLayoutRules + figureRules + tableRules + listRules + imageRules + narrowScreenRules

    private static let colorRules = """

        :root {
          color-scheme: light dark;
          --page: #f6f7f8; --card: #fff; --line: #dde1e5; --text: #1a2026; --quiet: #59636e;
          --accent: #0b6470; --bar: #4b929c; --hover: #eef2f4;
          --bad: #a3221a; --bad-ground: #fdeceb; --good: #17653e; --good-ground: #e6f4ec;
          --warn: #7a4d00; --warn-ground: #fdf3dc; --plain-ground: #eceff2;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #12161a; --card: #1a1f25; --line: #313942; --text: #e4e8ec; --quiet: #9aa5b1;
            --accent: #6cc6d3; --bar: #3f8791; --hover: #232a31;
            --bad: #ff9d94; --bad-ground: #41201e; --good: #80d3a5; --good-ground: #1a3527;
            --warn: #eec46d; --warn-ground: #3a2f17; --plain-ground: #2a3139;
          }
        }

        """

    private static let pageLayoutRules = """
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          margin: 0 auto; max-width: 78rem; padding: 1.75rem 1.5rem 4rem; background: var(--page); color: var(--text);
          font: 0.875rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
          font-variant-numeric: tabular-nums;
        }
        h1, h2, p, ul, dl, dd, figure { margin: 0; padding: 0; }
        h1 { font-size: 1.75rem; line-height: 1.2; font-weight: 600; letter-spacing: -0.015em; text-wrap: balance; }
        h2 { font-size: 0.9375rem; font-weight: 600; margin-bottom: 0.5rem; }
        ul { list-style: none; }
        code { font: 0.8125rem ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
        bdi, code, p { overflow-wrap: anywhere; }
        .source, .quiet { color: var(--quiet); }
        .source { margin-bottom: 0.25rem; }
        .quiet { margin-bottom: 0.5rem; }
        .note { padding: 0.5rem 0.75rem; border-radius: 4px; background: var(--warn-ground); color: var(--warn); }
        .unseen, .skip:not(:focus) {
          position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
        }
        .skip {
          position: absolute; top: 0.5rem; left: 1.5rem; z-index: 1; padding: 0.375rem 0.75rem;
          background: var(--card); color: var(--accent); border-radius: 4px;
        }
        section {
          min-width: 0; margin-top: 1rem; padding: 1rem 1.125rem 1.125rem; background: var(--card);
          border: 1px solid var(--line); border-radius: 6px;
        }
        section:focus { outline: none; }
        .columns { display: grid; grid-template-columns: 1.15fr 1fr; gap: 0 1rem; }
        .columns > div { display: flex; flex-direction: column; min-width: 0; }
        .columns > :only-child { grid-column: 1 / -1; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        button, select, input {
          font: inherit; color: inherit; background: var(--card); border: 1px solid #7d8894; border-radius: 4px;
          padding: 0.3125rem 0.625rem; min-height: 2rem;
        }
        button { cursor: pointer; }
        button:hover:not(:disabled) { background: var(--hover); }
        button:disabled { color: var(--quiet); border-color: var(--line); cursor: default; }

        """

    private static let figureRules = """
        .figures {
          display: grid; grid-template-columns: repeat(4, 1fr); margin-top: 1.25rem; background: var(--card);
          border: 1px solid var(--line); border-radius: 6px;
        }
        .figures div { padding: 0.75rem 1.125rem; border-left: 1px solid var(--line); }
        .figures div:first-child { border-left: 0; }
        .figures dt { color: var(--quiet); }
        .figures strong { display: block; font-size: 1.5rem; line-height: 1.25; font-weight: 600; }
        .figures span { color: var(--quiet); }
        .figures .bad strong { color: var(--bad); }
        .figures .good strong { color: var(--good); }
        .badge {
          display: inline-block; padding: 0.0625rem 0.4375rem; border-radius: 3px; font-size: 0.75rem; font-weight: 500;
          white-space: nowrap; background: var(--plain-ground); color: var(--text);
        }
        .badge.failed, .badge.rejected { background: var(--bad-ground); color: var(--bad); }
        .badge.converted, .badge.passthrough, .badge.cleaned, .badge.accepted {
          background: var(--good-ground); color: var(--good);
        }
        .dir, .at { color: var(--quiet); }
        .at { white-space: nowrap; }

        """

    private static let tableRules = """
        table { width: 100%; border-collapse: collapse; }
        th { font-weight: 400; text-align: left; }
        thead th { color: var(--quiet); }
        th, td { padding: 0.25rem 0 0.25rem 0.75rem; vertical-align: baseline; }
        th:first-child, td:first-child { padding-left: 0; }
        .outcomes td, .outcomes thead th:not(:first-child), .bars td:last-child {
          text-align: right; white-space: nowrap;
        }
        .outcomes tbody { border-top: 1px solid var(--line); }
        .outcomes .cause th, .outcomes .cause td { padding-top: 0; color: var(--quiet); }
        .outcomes .cause th { padding-left: 0.5rem; }
        .bars th { width: 1%; white-space: nowrap; color: var(--quiet); }
        .bars td:last-child { width: 1%; }
        .bars th, .bars td { padding-top: 0.125rem; padding-bottom: 0.125rem; }
        .bar svg { display: block; width: 100%; height: 0.75rem; }
        .bar rect { fill: var(--bar); }

        """

    private static let listRules = """
        .problems li {
          display: grid; grid-template-columns: 4.75rem 1fr; gap: 0 0.25rem; padding: 0.4375rem 0;
          border-top: 1px solid var(--line); align-items: baseline;
        }
        .problems .badge { justify-self: start; }
        .problems code, .notes .reason code { color: var(--bad); }
        .notes .warning code { color: var(--warn); }
        details summary {
          padding: 0.4375rem 0; color: var(--accent); border-top: 1px solid var(--line); cursor: pointer;
        }
        .filters { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: end; }
        .filters label { display: grid; color: var(--quiet); }
        .filters label.grow { flex: 1 1 14rem; }
        .filters input, .filters select { color: var(--text); }
        .pages { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; margin: 0.75rem 0; }
        .pages [role=status] { margin-right: auto; color: var(--quiet); }
        .pages.below { justify-content: end; margin-bottom: 0; }
        .list { table-layout: fixed; }
        .list thead th { padding: 0; border-bottom: 1px solid var(--line); }
        .list thead button {
          width: 100%; border: 0; padding: 0.25rem 0.375rem; background: none; color: var(--quiet); text-align: left;
          border-radius: 3px; white-space: nowrap;
        }
        .list [aria-sort=ascending] button, .list [aria-sort=descending] button {
          color: var(--text); font-weight: 600;
        }
        .list [aria-sort=ascending] button::after { content: " ↑"; }
        .list [aria-sort=descending] button::after { content: " ↓"; }
        .list tbody tr { border-bottom: 1px solid var(--line); }
        .list tbody tr:hover { background: var(--hover); }
        .list th, .list td { padding: 0.3125rem 0.375rem; }
        .list .number, .list thead .number button { text-align: right; white-space: nowrap; }
        .list .c-name { width: 28%; } .list .c-outcome { width: 6.75rem; } .list .c-kind { width: 5.75rem; }
        .list .c-before, .list .c-after, .list .c-saved { width: 5.25rem; } .list .c-length { width: 5.25rem; }
        .name {
          display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; line-clamp: 3; overflow: hidden;
        }

        """

    private static let imageRules = """
        .pairs { display: grid; grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); gap: 0.625rem; }
        .pair {
          display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 0.5rem;
          width: 100%; height: 100%; padding: 0.5rem;
          border-color: var(--line); text-align: left; align-items: baseline; align-content: start;
        }
        .pair .images {
          grid-column: 1 / -1; display: grid; grid-template-columns: 1fr 1fr; gap: 0.25rem; height: 6.5rem;
        }
        .pair img, .pair .none { width: 100%; height: 6.5rem; background: var(--plain-ground); border-radius: 3px; }
        .pair img { object-fit: contain; }
        .pair .none { display: grid; place-items: center; color: var(--quiet); font-size: 0.75rem; }
        .pair .name {
          grid-column: 1 / -1; -webkit-line-clamp: 2; line-clamp: 2; font-size: 0.8125rem; line-height: 1.35;
        }
        .pair .dir { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .pair .facts { color: var(--quiet); font-size: 0.75rem; text-align: right; }
        .more { margin-top: 0.75rem; }
        dialog {
          width: min(64rem, calc(100vw - 2rem)); max-height: calc(100vh - 2rem); padding: 1.25rem; color: var(--text);
          background: var(--card); border: 1px solid var(--line); border-radius: 8px;
        }
        dialog::backdrop { background: rgb(10 14 18 / 0.7); }
        .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
        .sides img {
          display: block; width: 100%; height: min(30rem, 60vh); object-fit: contain; background: var(--plain-ground);
          border-radius: 4px;
        }
        .sides .none {
          display: grid; place-items: center; height: min(30rem, 60vh); color: var(--quiet);
          background: var(--plain-ground); border-radius: 4px;
        }
        .sides figcaption { margin-top: 0.375rem; color: var(--quiet); }
        .sides figcaption strong { color: var(--text); font-weight: 600; }
        .controls { display: flex; gap: 0.5rem; margin-top: 1rem; }
        .controls [data-close] { margin-left: auto; }

        """

    private static let narrowScreenRules = """
        @media (max-width: 52rem) {
          body { padding: 1rem 0.75rem 3rem; }
          h1 { font-size: 1.375rem; }
          .columns { grid-template-columns: minmax(0, 1fr); }
          .columns > div { display: contents; }
          #lengths { order: 1; }
          .outcomes tr > :nth-child(3) { display: none; }
          .figures { grid-template-columns: 1fr 1fr; }
          .figures div { padding: 0.625rem 0.875rem; }
          .figures div:nth-child(odd) { border-left: 0; }
          .figures div:nth-child(n + 3) { border-top: 1px solid var(--line); }
          section { padding: 0.875rem; }
          .list, .list tbody { display: block; }
          .list thead { display: block; border-bottom: 1px solid var(--line); }
          .list thead tr { display: flex; flex-wrap: wrap; }
          .list thead th { width: auto !important; border: 0; }
          .list tbody tr { display: flex; flex-wrap: wrap; gap: 0 0.875rem; padding: 0.5rem 0; align-items: baseline; }
          .list tbody th, .list tbody td { padding: 0.0625rem 0; width: auto; }
          .list tbody th, .list .notes { flex: 1 0 100%; }
          .list .notes { order: 1; }
          .list .notes:empty, .list td.number:empty { display: none; }
          .list td.number::before { content: attr(data-title) " "; color: var(--quiet); }
          .pairs { grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); }
          dialog { padding: 0.875rem; }
          .sides { gap: 0.5rem; }
          .sides img, .sides .none { height: min(18rem, 45vh); }
        }
        @media (prefers-reduced-motion: no-preference) { button { transition: background-color 0.12s; } }

        """
}
