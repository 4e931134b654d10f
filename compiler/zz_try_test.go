package compiler

import ("testing";"os";"fmt";"kitsoki/runtime/artifact";"kitsoki/runtime/match";"bufio")

func TestTry(t *testing.T){
 dir:=os.Getenv("TRY"); if dir=="" {t.Skip()}
 out,ds:=Compile(os.DirFS(dir),"app.yaml",Options{Tool:"x"})
 for _,d:=range ds { fmt.Println(d.Pos,d.Severity,d.Code,d.Message,"|",d.Hint,d.Related) }
 if out.Image==nil {return}
 data,err:=artifact.Encode(out.Image); if err!=nil {t.Fatal(err)}
 fmt.Println(len(data),"bytes")
 for _,a:=range append([]artifact.Automaton{out.Image.Lead,out.Image.Trail},out.Image.Automata...) { fmt.Println("states",len(a.States),"words",len(a.Words),"classes",len(a.Classes)) }
 f,err:=artifact.Decode("x",data); if err!=nil {t.Fatal(err)}
 r:=f.Rooms()[0]
 var s match.Scratch
 in,_:=os.Open(os.Getenv("PROMPTS")); sc:=bufio.NewScanner(in)
 for sc.Scan(){ res:=match.Classify(f,match.Query{Prompt:sc.Text(),Automaton:r.Automaton,Intents:r.Intents},&s)
  d:=match.Decide(res,match.Policy{},match.Facts{})
  n:=""; if d.Hit!=nil {n=d.Hit.Intent; fmt.Print(d.Hit.Cover, d.Hit.Slots)}
  fmt.Println(sc.Text(),"=>",d.Intercept,n,d.Reason,d.Detail,d.Top)
 }
}
