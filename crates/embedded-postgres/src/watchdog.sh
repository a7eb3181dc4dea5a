# Ends a throwaway cluster when the process that created it has ended, in whatever way.
# Its standard input is a pipe that is never written to: reading ends when that process ends.
dir=$1
gone=$dir.gone
cat >/dev/null

pause() { sleep 0.02 2>/dev/null || sleep 1; }

# Whether the recorded process is alive and its id was not reused; without /proc, being alive is enough.
is_ours() {
    if [ -d /proc/self ]; then
        tr '\0' '\n' <"/proc/$pid/cmdline" | grep -qF "$dir"
    else
        kill -s 0 "$pid"
    fi
} 2>/dev/null

# Ends the process that the PID file in folder $1 names, and waits for it.
end_noted() {
    read -r pid program 2>/dev/null <"$1/pid" || return 0
    is_ours || return 0
    # The content is disposable, so an immediate shutdown is enough. An initdb ends soon by itself; if signalled, it
    # would delete the folder that its backend uses, which then leaves shared memory behind.
    [ "$program" = initdb ] || kill -s QUIT "$pid" 2>/dev/null
    rounds=0
    while is_ours && [ "$rounds" -lt 500 ]; do
        pause
        rounds=$((rounds + 1))
    done
    is_ours && kill -s KILL "$pid" 2>/dev/null
}

[ -e "$dir" ] || exit 0
end_noted "$dir"
# A process that is just starting writes the PID file first. After the rename it either cannot write it and gives up, or
# it has already written it and is found by it.
mv "$dir" "$gone"
end_noted "$gone"

rounds=0
while [ -e "$gone" ] && [ "$rounds" -lt 500 ]; do
    rm -rf "$gone" 2>/dev/null
    [ -e "$gone" ] && pause
    rounds=$((rounds + 1))
done
