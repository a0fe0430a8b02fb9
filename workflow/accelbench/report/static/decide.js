// Selection of an answer. accelbench.decide computed all answers. DATA contains "" instead of an empty list.
const DATA = JSON.parse(document.getElementById("choices").textContent), NBSP = "\u00a0";
const word = (place) => DATA.strings[place];
// Converted through text, since a quotient may differ from the rounded number in its last bit.
const inSeconds = (nanoseconds) => (nanoseconds === null ? null : Number(`${nanoseconds}e-9`));
const PLACES = Object.keys(DATA.places), KERNELS = [...new Set(DATA.families.map(({ kernel }) => kernel))];
const familyOf = ({ kernel, dtype, options }) => DATA.families.find((f) => f.kernel === kernel && f.dtype === dtype && f.options === options);
const problemOf = (state) => familyOf(state).problems.find(({ size }) => size === state.size);
// The base ranking has one state per place of the data, after the states of the numbers of calls.
const asked = ({ calls, ranking }) => (ranking ? DATA.calls.length : DATA.calls.indexOf(calls));
const rounded = (nanoseconds) => Number(nanoseconds.toPrecision(3));
const rowsOf = (places) => { let at = 0; return places.map((step) => word(at += step)); };
const stateOf = (problem, state) => word(problem.states[state.place][asked(state)]);
const waysOf = (place) => word(place) || [];
const wayOf = ([name, backend, device, place, bits, lines, written]) => ({ written: written === undefined ? "" : word(written), name: word(name), backend: word(backend), device: word(device), place: word(place), gpu: !!(bits & 1), baseline: !!(bits & 2), lines });
const named = (candidate) => (candidate.device ? `${candidate.name} on ${candidate.device}` : candidate.name);
const threadsOf = (parameters) => { const count = /threads=(\d+)/.exec(parameters)?.[1]; return count && plural(Number(count), "thread"); };
// All implementations with a time, the leaders first.
function rankingOf(problem, state) {
  const [kind, , , , leading, , undetermined, , mark] = stateOf(problem, state), rows = rowsOf(problem.times[kind]), leaders = waysOf(leading);
  const standingOf = (way, conditions) => (conditions.includes("implausible") ? "implausible" : leaders.includes(way) ? word(mark) : waysOf(undetermined).includes(way) ? "undetermined" : "");
  const order = [...leaders.map((way) => rows.find(([own]) => own === way)), ...rows.filter(([way]) => !leaders.includes(way))];
  const numpy = inSeconds(rows.find(([way]) => wayOf(problem.ways[way]).baseline)?.[1] ?? null);
  return order.map(([way, ns, below, above, details]) => {
    const [known, conditions, strip] = word(details), [startup, ofPeak, parameters, clocks, memory] = word(known), candidate = wayOf(problem.ways[way]), seconds = inSeconds(ns);
    return {
      way, candidate, name: named(candidate), seconds, low: below === null ? null : inSeconds(rounded(ns - below)), high: above === null ? null : inSeconds(rounded(ns + above)), speedup: numpy && numpy / seconds, startup, ofPeak, leads: leaders.includes(way), standing: standingOf(way, word(conditions)),
      conditions: word(conditions), parameters: word(parameters), clocks: word(clocks), manner: once([candidate.written, threadsOf(word(parameters))]).join(", "), memory, strip, all: startup === null ? null : startup + state.calls * seconds,
    };
  });
}
function answer(state) {
  const problem = problemOf(state), ranking = rankingOf(problem, state), leaders = ranking.filter(({ leads }) => leads);
  const [, told, brackets, decides, , front, , hollow] = stateOf(problem, state), ways = new Map(ranking.map((choice) => [choice.way, choice]));
  return {
    state, ranking, leaders, best: leaders[0] ?? null, sentences: word(told).map(word), decides: word(decides), hollow: waysOf(hollow).map((way) => wayOf(problem.ways[way])),
    numpy: least(ranking.filter(({ candidate }) => candidate.baseline), ({ seconds }) => seconds), front: waysOf(front).map((way) => ways.get(way)),
    brackets: waysOf(brackets).map(word).map(([sentence, below, at, command]) => ({ words: word(sentence), below, at, command: word(command) })),
    missing: problem.missing.map(([who, cases, ...texts]) => [who.map(word), cases, ...texts.map(word)]),
    learning: waysOf(DATA.portfolios[state.place][asked(state)]).map((told) => word(told).split("|")),
  };
}
const least = (items, key) => items.reduce((best, item) => (best === null || key(item) < key(best) ? item : best), null);
const once = (values) => [...new Set(values)].filter(Boolean), plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const sourceOf = (kernel, name) => (DATA.sources[kernel] ?? {})[name] ?? DATA.sources[kernel]?.[name.split("@")[0]];
const percentOf = (value) => { const whole = Math.floor(100 * value + 0.5); return whole === 100 && value < 1 ? `over 99${NBSP}%` : `${whole}${NBSP}%`; };
